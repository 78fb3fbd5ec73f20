//! Calls of tools: what they are, what they were given, and how they end.

use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{ItemLifecycle, ItemStatus, ItemType};
use crate::json::{Json, Kind, Malformed, Note, OwnedJson, Reader};
use crate::kit::parts::{filled, object};
use crate::kit::remembered::Remembered;

use super::turns::Scope;

/// How many calls are remembered, those of the longest ago are forgotten first.
const REMEMBERED: usize = 16_384;

/// The calls, by their ids.
#[derive(Debug)]
pub(crate) struct Calls(Remembered<Arc<str>, Call>);

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The tool.
    pub name: Arc<str>,
    /// What the call is as an item.
    pub item_type: ItemType,
    /// What the tool was given, once all of it is known.
    pub input: Option<OwnedJson>,
    /// Where it belongs.
    pub scope: Option<Scope>,
    /// The call that started the agent that makes it.
    pub parent: Option<Arc<str>>,
    /// The user or a rule refused it.
    pub denied: bool,
    /// Its result was told.
    pub ended: bool,
    /// The plan that it holds was told.
    pub planned: bool,
}

impl Default for Calls {
    fn default() -> Self {
        Self(Remembered::new(REMEMBERED))
    }
}

impl Calls {
    /// A call is announced. One that is going on stays as it is.
    pub fn start(&mut self, id: &str, call: Call) {
        let id: Arc<str> = Arc::from(id);
        if self.0.get(&id).is_none_or(|known| known.ended) {
            self.0.insert(id, call);
        }
    }

    /// What is known about a call.
    pub fn get(&self, id: &str) -> Option<&Call> {
        self.0.get(&Arc::from(id))
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut Call> {
        self.0.get_mut(&Arc::from(id))
    }

    /// The whole input of a call is known.
    pub fn give(&mut self, id: &str, input: OwnedJson) {
        if let Some(call) = self.get_mut(id) {
            call.input = Some(input);
        }
    }

    /// A call is refused: its result, whatever it says, is that of a refusal.
    pub fn deny(&mut self, id: &str) {
        if let Some(call) = self.get_mut(id) {
            call.denied = true;
        }
    }

    /// A call has its result. What it was given is not needed any more.
    pub fn end(&mut self, id: &str) {
        if let Some(call) = self.get_mut(id) {
            call.ended = true;
            call.input = None;
        }
    }
}

impl Call {
    /// The item of the call that is going on.
    pub fn item(&self, id: &str) -> ItemLifecycle {
        ItemLifecycle {
            item_type: self.item_type,
            status: Some(ItemStatus::InProgress),
            title: filled(&*self.name),
            detail: self.input.as_ref().and_then(input_summary),
            data: Some(self.data(id, Vec::new())),
        }
    }

    /// The call as it is told to people: what it is, what it was given, and what came of it.
    pub fn data(&self, id: &str, more: Vec<(&str, OwnedJson)>) -> OwnedJson {
        let mut members = vec![("toolUseId", text(id)), ("toolName", text(&self.name))];
        // Once the call ended its input is not kept, and none is not the same as an empty one.
        let input = self.input.clone().or_else(|| (!self.ended).then(empty));
        members.extend(input.map(|input| ("input", input)));
        if let Some(parent) = &self.parent {
            members.push(("parentToolUseId", text(parent)));
        }
        members.extend(more);
        object(&members)
    }
}

/// A text as JSON.
pub(crate) fn text(text: &str) -> OwnedJson {
    OwnedJson::from_value(&text.into())
}

fn empty() -> OwnedJson {
    object(&[])
}

/// The members of an input that say what a call does, the better ones first.
const INPUTS: &[&str] = &[
    "command",
    "cmd",
    "file_path",
    "notebook_path",
    "plan",
    "query",
    "url",
    "pattern",
    "path",
    "description",
    "subject",
    "prompt",
];

/// An input for people: the text that says most.
pub(crate) fn input_summary(input: &OwnedJson) -> Option<String> {
    let mut texts: Vec<Option<String>> = vec![None; INPUTS.len()];
    // What can't be read says nothing.
    let _ = fill(&mut input.reader(), &mut texts);
    texts.into_iter().flatten().next()
}

fn fill(reader: &mut Reader<'_>, texts: &mut [Option<String>]) -> Result<(), Malformed> {
    if reader.kind()? != Kind::Object {
        return Ok(());
    }
    let mut object = reader.object()?;
    while let Some(name) = reader.key(&mut object)? {
        let place = INPUTS.iter().position(|known| **known == *name);
        if let (Some(place), Kind::String) = (place, reader.kind()?)
            && let Some(slot) = texts.get_mut(place)
        {
            *slot = filled(reader.string()?);
        } else {
            reader.skip()?;
        }
    }
    Ok(())
}

/// The content of a result for people: a text, or the texts of its blocks.
pub(crate) fn output_summary(content: Option<Json<'_>>) -> Option<String> {
    let mut reader = Reader::new(content?.as_str());
    match reader.kind().ok()? {
        Kind::String => filled(reader.string().ok()?),
        Kind::Array => filled(block_texts(&mut reader).unwrap_or_default()),
        Kind::Object | Kind::Number | Kind::Boolean | Kind::Null => None,
    }
}

/// What is odd about the texts of such a content.
pub(crate) fn noted_in_output(line: &str, content: Range<usize>) -> Vec<Note> {
    let mut reader = Reader::over(line, content);
    let _ = match reader.kind() {
        Ok(Kind::String) => reader.string().map(drop),
        Ok(Kind::Array) => block_texts(&mut reader).map(drop),
        Ok(Kind::Object | Kind::Number | Kind::Boolean | Kind::Null) | Err(_) => Ok(()),
    };
    reader.take_notes()
}

/// The texts of a list of blocks, each on lines of its own.
pub(crate) fn block_texts(reader: &mut Reader<'_>) -> Result<String, Malformed> {
    let mut texts = Vec::new();
    let mut array = reader.array()?;
    while reader.element(&mut array)? {
        if reader.kind()? != Kind::Object {
            reader.skip()?;
            continue;
        }
        let mut object = reader.object()?;
        while let Some(name) = reader.key(&mut object)? {
            if name == "text" && reader.kind()? == Kind::String {
                texts.push(reader.string()?.into_owned());
            } else {
                reader.skip()?;
            }
        }
    }
    Ok(texts.join("\n"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_input_is_summed_up_by_what_says_most() {
        let input = |text: &str| input_summary(&OwnedJson::parse(text).unwrap());
        assert_eq!(
            input(r#"{"description":"d","command":"ls"}"#).as_deref(),
            Some("ls")
        );
        assert_eq!(input(r#"{"command":7,"path":"p"}"#).as_deref(), Some("p"));
        assert_eq!(input("[1]"), None);
    }

    #[test]
    fn an_output_is_a_text_or_the_texts_of_its_blocks() {
        let output = |text: &str| output_summary(Some(Json::parse(text).unwrap()));
        assert_eq!(output(r#""lamp""#).as_deref(), Some("lamp"));
        let blocks = r#"[{"type":"text","text":"a"},{"type":"image"},7,{"text":"b"}]"#;
        assert_eq!(output(blocks).as_deref(), Some("a\nb"));
        assert_eq!(output("{}"), None);
        assert_eq!(output_summary(None), None);
    }
}
