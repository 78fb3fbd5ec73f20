//! The JSON-RPC envelope: what kind of message a line is, and where its parts stand.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::json::{Json, Kind, Malformed, Note, NoteKind, Problem, Reader, Wire, Writer, encode};

/// How many messages one line may batch; more could take many times the line's size in memory.
const BATCH: usize = 65_536;

/// The id of a request, as its sender wrote it. `1` and `"1"` are two ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestId {
    /// An integer in its plain spelling.
    Integer(i64),
    /// A string.
    Text(Arc<str>),
    /// The JSON text of any other number, of `null`, or of a string that only its own text tells.
    Other(Arc<str>),
}

/// One message of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope<'a> {
    /// Where the message begins in the line.
    pub start: usize,
    /// Where the message ends in the line.
    pub end: usize,
    /// What it is.
    pub message: Message<'a>,
    /// What was odd about the envelope.
    pub notes: Vec<Note>,
    /// Whether it has the member `jsonrpc`, which not all agents send.
    pub jsonrpc: bool,
}

/// The kinds of messages. The ranges are those of values in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// A call that wants an answer.
    Request {
        /// Names the answer.
        id: RequestId,
        /// What is called.
        method: Cow<'a, str>,
        /// Its arguments.
        params: Option<Range<usize>>,
    },
    /// A call without an answer.
    Notification {
        /// What happened.
        method: Cow<'a, str>,
        /// Its arguments.
        params: Option<Range<usize>>,
    },
    /// The answer to a request.
    Response {
        /// The id of the request.
        id: RequestId,
        /// The answer.
        result: Range<usize>,
    },
    /// The failure of a request.
    Error {
        /// The id of the request; none where the sender could not tell.
        id: Option<RequestId>,
        /// What failed; usually an [`RpcError`].
        error: Range<usize>,
    },
    /// None of the four.
    Other,
}

/// The error of a failed request.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcError<'a> {
    /// The number of the error.
    pub code: i64,
    /// The sentence for people.
    pub message: Cow<'a, str>,
    /// Anything else.
    pub data: Option<Json<'a>>,
}

/// The messages of a line: of one object, or of an array in its order. The whole line is checked.
///
/// A call is one with a string as method; an error that is not `null` goes before a result.
///
/// # Errors
/// Where the line is not JSON, or neither an object nor an array, or an array of more than 65,536.
pub fn envelopes(line: &str) -> Result<Vec<Envelope<'_>>, Malformed> {
    let mut reader = Reader::new(line);
    let mut messages = Vec::new();
    match reader.kind()? {
        Kind::Object => messages.push(envelope(&mut reader, line)?),
        Kind::Array => {
            let mut array = reader.array()?;
            while reader.element(&mut array)? {
                if messages.len() == BATCH {
                    let problem = Problem::OutOfRange {
                        expected: "a batch (65,536 messages)",
                    };
                    return Err(Malformed {
                        offset: reader.offset(),
                        problem,
                    });
                }
                messages.push(envelope(&mut reader, line)?);
            }
        }
        found @ (Kind::String | Kind::Number | Kind::Boolean | Kind::Null) => {
            let offset = reader.offset();
            reader.skip()?;
            reader.end()?;
            return Err(Malformed {
                offset,
                problem: Problem::Expected {
                    expected: "object or array",
                    found,
                },
            });
        }
    }
    reader.end()?;
    Ok(messages)
}

/// The members that matter, as ranges in the line. Which of them count is known only at the end.
#[derive(Default)]
struct Members {
    id: Option<Range<usize>>,
    method: Option<Range<usize>>,
    params: Option<Range<usize>>,
    result: Option<Range<usize>>,
    error: Option<Range<usize>>,
    jsonrpc: Option<Range<usize>>,
}

fn envelope<'a>(reader: &mut Reader<'a>, line: &'a str) -> Result<Envelope<'a>, Malformed> {
    if reader.kind()? != Kind::Object {
        let span = reader.span()?;
        let (start, end) = (span.start, span.end);
        return Ok(Envelope {
            start,
            end,
            message: Message::Other,
            notes: Vec::new(),
            jsonrpc: false,
        });
    }
    let mut members = Members::default();
    let mut duplicates = Vec::new();
    let mut object = reader.object()?;
    while let Some(key) = reader.key(&mut object)? {
        let slot = match &*key {
            "id" => &mut members.id,
            "method" => &mut members.method,
            "params" => &mut members.params,
            "result" => &mut members.result,
            "error" => &mut members.error,
            "jsonrpc" => &mut members.jsonrpc,
            _ => {
                reader.skip()?;
                continue;
            }
        };
        let span = reader.span()?;
        let offset = span.start;
        // A few notes say all there is to say, however often a hostile line repeats a member.
        if slot.replace(span).is_some() && duplicates.len() < 8 {
            duplicates.push(Note {
                offset,
                kind: NoteKind::DuplicateKey,
            });
        }
    }
    let (start, end) = (object.start(), reader.offset());
    let mut notes = reader.take_notes();
    notes.append(&mut duplicates);
    let jsonrpc = members.jsonrpc.is_some();
    let message = message(members, line, &mut notes);
    Ok(Envelope {
        start,
        end,
        message,
        notes,
        jsonrpc,
    })
}

fn message<'a>(members: Members, line: &'a str, notes: &mut Vec<Note>) -> Message<'a> {
    let Members {
        id,
        method,
        params,
        result,
        error,
        jsonrpc: _,
    } = members;
    let text = |range: &Range<usize>| line.get(range.clone()).unwrap_or_default();
    if let Some(method) = method {
        let mut reader = Reader::over(line, method);
        let Ok(method) = reader.string() else {
            return Message::Other;
        };
        notes.append(&mut reader.take_notes());
        let Some(id) = id else {
            return Message::Notification { method, params };
        };
        return match RequestId::from_wire(text(&id)) {
            Some(id) => Message::Request { id, method, params },
            None => Message::Other,
        };
    }
    let parsed = id.as_ref().and_then(|id| RequestId::from_wire(text(id)));
    if id.is_some() && parsed.is_none() {
        return Message::Other;
    }
    let empty = error.as_ref().is_none_or(|error| text(error) == "null");
    match (parsed, result, error) {
        (Some(id), Some(result), _) if empty => Message::Response { id, result },
        (id, _, Some(error)) => Message::Error {
            id: id.filter(|id| id.to_wire() != "null"),
            error,
        },
        (_, _, None) => Message::Other,
    }
}

impl RequestId {
    /// Reads the JSON text of an id; `None` where it is not one.
    #[must_use]
    pub fn from_wire(json: &str) -> Option<Self> {
        let mut reader = Reader::new(json);
        match reader.kind().ok()? {
            Kind::String => {
                let text = reader.string().ok()?;
                let exact = reader.take_notes().is_empty();
                Some(if exact {
                    Self::Text(Arc::from(&*text))
                } else {
                    Self::Other(Arc::from(json))
                })
            }
            Kind::Number | Kind::Null => {
                // Another spelling of the same number must go back as it came.
                let plain = json
                    .parse::<i64>()
                    .ok()
                    .filter(|value| value.to_string() == json);
                Some(plain.map_or_else(|| Self::Other(Arc::from(json)), Self::Integer))
            }
            Kind::Object | Kind::Array | Kind::Boolean => None,
        }
    }

    /// The id by which a reply finds its request: a program that keeps its numbers as floating ones
    /// answers `2` with `2.0`.
    pub(crate) fn plain(&self) -> Self {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let Self::Other(json) = self else {
            return self.clone();
        };
        let number = json.parse::<f64>().ok();
        let whole = number.filter(|number| number.fract() == 0.0 && number.abs() < EXACT);
        // A whole number has no other digits when it is printed.
        let whole = whole.and_then(|number| format!("{:.0}", number + 0.0).parse().ok());
        whole.map_or_else(|| self.clone(), Self::Integer)
    }

    /// The JSON text of the id, as it was sent.
    #[must_use]
    pub fn to_wire(&self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Text(text) => encode(&Cow::Borrowed(&**text)),
            Self::Other(json) => json.to_string(),
        }
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(formatter),
            Self::Text(text) | Self::Other(text) => formatter.write_str(text),
        }
    }
}

impl<'a> Wire<'a> for RequestId {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let found = reader.kind()?;
        let offset = reader.offset();
        let problem = Problem::Expected {
            expected: "request id",
            found,
        };
        Self::from_wire(reader.raw()?.as_str()).ok_or(Malformed { offset, problem })
    }

    fn write(&self, writer: &mut Writer) {
        writer.raw(&self.to_wire());
    }
}

impl<'a> Wire<'a> for RpcError<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let mut object = reader.object()?;
        let (mut code, mut message, mut data) = (None, None, None);
        while let Some(key) = reader.key(&mut object)? {
            match &*key {
                "code" => reader.field(&mut code)?,
                "message" => reader.field(&mut message)?,
                "data" => reader.optional(&mut data)?,
                _ => reader.skip()?,
            }
        }
        Ok(Self {
            code: object.required(code, "code")?,
            message: object.required(message, "message")?,
            data,
        })
    }

    fn write(&self, writer: &mut Writer) {
        let mut object = writer.object();
        object.field("code", &self.code);
        object.field("message", &self.message);
        object.optional("data", &self.data);
        object.end();
    }
}

crate::wire_serde!(RequestId);
crate::wire_serde!(RpcError<'a>);

#[cfg(test)]
#[path = "envelope_tests.rs"]
mod tests;
