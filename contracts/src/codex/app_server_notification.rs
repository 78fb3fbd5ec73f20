//! Notifications of the Codex app server.
