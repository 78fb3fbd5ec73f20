//! Requests of the Codex app server.
