//! The generated decoders behind one function.

use std::borrow::Cow;

use agentwire::codex::wire::{
    ClientAnswer, EventMsg, ServerNotification, ServerRequest, ServerResponse,
};
use agentwire::json::{Malformed, Note, Object, Reader, Wire, Writer, decode, encode};
use serde_json::Value;

use super::roots::Root;

/// What became of a text.
pub type Decoded = Result<(String, Vec<Note>), Malformed>;

/// Decodes a text as a root and encodes what was read.
pub fn round_trip(root: &Root, text: &str) -> Decoded {
    match root {
        Root::Union("ServerNotification") => whole::<ServerNotification<'_>>(text),
        Root::Union("ServerRequest") => whole::<ServerRequest<'_>>(text),
        Root::Union("EventMsg") => whole::<EventMsg<'_>>(text),
        Root::Union(other) => panic!("{other} is no union of a surface"),
        Root::Response(method) => {
            let mut reader = Reader::new(text);
            let content = Some(0..text.len());
            let response = ServerResponse::read_content(
                &mut reader,
                &Object::at(0),
                Cow::Borrowed(method),
                content,
            )?;
            let written = result(|object| response.write_content(object));
            Ok((written, reader.take_notes()))
        }
        Root::Answer(method) => {
            let mut reader = Reader::new(text);
            let content = Some(0..text.len());
            let answer = ClientAnswer::read_content(
                &mut reader,
                &Object::at(0),
                Cow::Borrowed(method),
                content,
            )?;
            let written = result(|object| answer.write_content(object));
            Ok((written, reader.take_notes()))
        }
    }
}

/// Compares serde with the decoder for one type.
macro_rules! agrees {
    ($root:ident, $text:expr) => {{
        let text: &str = $text;
        let ours = decode::<$root<'_>>(text).map(|(value, _)| value);
        match (ours, serde_json::from_str::<$root<'_>>(text)) {
            (Ok(ours), Ok(theirs)) if ours != theirs => {
                Err(format!("serde reads {theirs:?}, we read {ours:?}"))
            }
            (Ok(ours), Ok(_)) => match serde_json::to_string(&ours) {
                Ok(written) if written == encode(&ours) => Ok(()),
                written => Err(format!(
                    "serde writes {written:?}, we write {}",
                    encode(&ours)
                )),
            },
            (Err(ours), Err(theirs)) => {
                // serde_json adds the place in the text to the sentence.
                let sentence = format!("{}: {ours}", ours.path(text));
                let agree = theirs.to_string().starts_with(&sentence);
                if agree {
                    Ok(())
                } else {
                    Err(format!("serde says {theirs}, we say {sentence}"))
                }
            }
            (ours, theirs) => Err(format!("serde reads {theirs:?}, we read {ours:?}")),
        }
    }};
}

/// Whether serde gives what the decoder gives; nothing for roots that do not say their variant.
pub fn serde_agrees(root: &Root, text: &str) -> Option<Result<(), String>> {
    match root {
        Root::Union("ServerNotification") => Some(agrees!(ServerNotification, text)),
        Root::Union("ServerRequest") => Some(agrees!(ServerRequest, text)),
        Root::Union(_) => Some(agrees!(EventMsg, text)),
        Root::Response(_) | Root::Answer(_) => None,
    }
}

fn whole<'a, T: Wire<'a>>(text: &'a str) -> Decoded {
    decode::<T>(text).map(|(value, notes)| (encode(&value), notes))
}

fn result(write: impl FnOnce(&mut agentwire::json::ObjectWriter<'_>)) -> String {
    let mut writer = Writer::new();
    let mut object = writer.object();
    write(&mut object);
    object.end();
    let mut value: Value = serde_json::from_str(&writer.finish()).unwrap();
    value["result"].take().to_string()
}
