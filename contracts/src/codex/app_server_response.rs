//! Responses of the Codex app server.
