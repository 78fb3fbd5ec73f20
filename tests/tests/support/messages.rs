//! What the agent said in a recorded stream, message by message, in the form that the wire types
//! read.

use std::collections::BTreeMap;

use agentwire::codex::wire::{
    EventMsg, ServerNotification, ServerRequest, ServerResponse, app_server_notification,
    app_server_request, app_server_response, eventmsg,
};
use agentwire::envelope::{Message as Kind, RequestId, envelopes};
use agentwire::json::{Malformed, Note, Object, Reader, Wire, Writer, decode, encode};
use agentwire::session::Direction;
use serde_json::Value;
use serde_json::value::RawValue;

use super::recorded::{Carrier, Recording};

/// The envelope of a result: what a reply is, apart from its id.
const RESULT: &str = "{\"result\":";

/// One message of the agent that a surface has types for.
#[derive(Clone, Debug)]
pub struct Message {
    /// The surface.
    pub surface: &'static str,
    /// What picks the variant.
    pub tag: String,
    /// The JSON text: the whole message, `{"result":…}` of a reply, or the bare `EventMsg`.
    pub text: String,
}

impl Message {
    /// Decodes the message and encodes it again.
    pub fn again(&self) -> Result<(String, Vec<Note>), Malformed> {
        match self.surface {
            app_server_notification::SURFACE => through::<ServerNotification<'_>>(&self.text),
            app_server_request::SURFACE => through::<ServerRequest<'_>>(&self.text),
            eventmsg::SURFACE => through::<EventMsg<'_>>(&self.text),
            _ => self.reply(),
        }
    }

    fn reply(&self) -> Result<(String, Vec<Note>), Malformed> {
        let mut reader = Reader::new(&self.text);
        let result = RESULT.len()..self.text.len() - 1;
        let read = ServerResponse::read_content(
            &mut reader,
            &Object::at(0),
            self.tag.as_str().into(),
            Some(result),
        )?;
        let mut writer = Writer::new();
        let mut object = writer.object();
        read.write_content(&mut object);
        object.end();
        Ok((writer.finish(), reader.take_notes()))
    }

    /// The message as a tree.
    pub fn tree(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

fn through<'a, T: Wire<'a>>(text: &'a str) -> Result<(String, Vec<Note>), Malformed> {
    let (value, notes) = decode::<T>(text)?;
    Ok((encode(&value), notes))
}

/// The messages of the agent in a recording. Errors of requests have no surface.
pub fn messages(recording: &Recording) -> Vec<Message> {
    let mut found = Vec::new();
    let mut pending: BTreeMap<RequestId, String> = BTreeMap::new();
    for line in recording.lines() {
        if recording.carrier == Carrier::Rollout {
            found.extend(stored(&line.text));
            continue;
        }
        let Ok(envelopes) = envelopes(&line.text) else {
            continue;
        };
        for envelope in envelopes {
            let whole = &line.text[envelope.start..envelope.end];
            match (line.direction, envelope.message) {
                (Direction::ToAgent, Kind::Request { id, method, .. }) => {
                    pending.insert(id, method.into_owned());
                }
                (Direction::FromAgent, Kind::Notification { method, params }) => {
                    let message = match method.strip_prefix("codex/event/") {
                        None => Message {
                            surface: app_server_notification::SURFACE,
                            tag: method.into_owned(),
                            text: whole.to_owned(),
                        },
                        Some(_) => live(&line.text[params.unwrap()]),
                    };
                    found.push(message);
                }
                (Direction::FromAgent, Kind::Request { method, .. }) => found.push(Message {
                    surface: app_server_request::SURFACE,
                    tag: method.into_owned(),
                    text: whole.to_owned(),
                }),
                (Direction::FromAgent, Kind::Response { id, result }) => found.push(Message {
                    surface: app_server_response::SURFACE,
                    tag: pending
                        .remove(&id)
                        .unwrap_or_else(|| panic!("{recording}: {whole}")),
                    text: format!("{RESULT}{}}}", &line.text[result]),
                }),
                (Direction::FromAgent, Kind::Error { .. } | Kind::Other)
                | (Direction::ToAgent, _) => {}
            }
        }
    }
    found
}

fn live(params: &str) -> Message {
    let parts: BTreeMap<String, Box<RawValue>> = serde_json::from_str(params).unwrap();
    event(parts["msg"].get())
}

fn stored(record: &str) -> Option<Message> {
    let parts: BTreeMap<String, Box<RawValue>> = serde_json::from_str(record).unwrap();
    (parts["type"].get() == "\"event_msg\"").then(|| event(parts["payload"].get()))
}

fn event(text: &str) -> Message {
    let tree: Value = serde_json::from_str(text).unwrap();
    let tag = tree["type"].as_str().unwrap().to_owned();
    Message {
        surface: eventmsg::SURFACE,
        tag,
        text: text.to_owned(),
    }
}
