//! Reads the TypeScript declarations of a package and writes its types as JSON Schema definitions.
//!
//! `dump` goes the whole way: a file is parsed into our own form ([`syntax`]), names are followed
//! through modules and packages ([`modules`]), types are worked out ([`evaluate`]) and lowered
//! ([`lower`]), and the result is rendered. All of it is a function of texts; only the program
//! beside this library reads files. The code generator reads dumps, so that it needs no parser of
//! TypeScript.

mod dump;
pub mod evaluate;
pub mod lower;
pub mod modules;
mod packages;
mod parse;
pub mod problem;
mod render;
pub mod request;
pub mod syntax;
pub mod types;

pub use dump::{Dump, dump};
