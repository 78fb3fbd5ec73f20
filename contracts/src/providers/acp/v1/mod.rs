//! Version 1 of the protocol: its surfaces, one file each, and the parts that they share.

pub(super) mod answers;
mod notification;
mod notification_method;
mod parts;
mod request;
pub(super) mod response;
