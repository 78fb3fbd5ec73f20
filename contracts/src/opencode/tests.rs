//! Streams of a server, event by event.
