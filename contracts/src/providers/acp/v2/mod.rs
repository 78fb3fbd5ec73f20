//! Version 2 of the protocol: its surfaces, one file each, and the parts that they share.

pub(super) mod answers;
mod calls;
pub(super) mod memory;
mod notification;
mod notification_method;
mod parts;
mod request;
pub(super) mod response;
#[cfg(test)]
mod tests;
mod turns;
#[cfg(test)]
mod turns_tests;
