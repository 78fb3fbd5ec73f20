//! Tool calls as canonical items: their kind and their raw input decide the types.

use std::sync::Arc;

use crate::canonical::{ItemLifecycle, ItemStatus, ItemType, RequestType};
use crate::json::{Json, Kind, Malformed, OwnedJson, Reader};
use crate::kit::mapping::Cx;
use crate::kit::parts::filled;
use crate::kit::remembered::Remembered;

use super::keys::{Key, item_key};

/// How many calls are remembered, those of the longest ago are forgotten first.
const REMEMBERED: usize = 16_384;

/// What the messages about a call have told so far, by thread and call.
#[derive(Debug)]
pub(super) struct Calls {
    known: Remembered<Key, Call>,
    /// The session in which a call was told of last, by the call alone.
    sessions: Remembered<Arc<str>, Arc<str>>,
}

/// What is known about a call.
#[derive(Clone, Debug, Default)]
struct Call {
    item_type: Option<ItemType>,
    request_type: Option<RequestType>,
    title: Option<String>,
    ended: bool,
}

/// What one message tells about a call, in the terms of no protocol version.
#[derive(Debug, Default)]
pub(super) struct News<'m> {
    /// The item type and the request type of its kind, where that says any.
    pub by_kind: Option<(ItemType, RequestType)>,
    /// The name of the tool.
    pub name: Option<&'m str>,
    /// The title.
    pub title: Option<&'m str>,
    /// The status.
    pub status: Option<ItemStatus>,
    /// The raw input.
    pub input: Option<Json<'m>>,
    /// What came out, for people.
    pub output: Option<String>,
}

impl Default for Calls {
    fn default() -> Self {
        Self {
            known: Remembered::new(REMEMBERED),
            sessions: Remembered::new(REMEMBERED),
        }
    }
}

impl Calls {
    /// Whether any message told of the call that the context names.
    pub fn knows(&self, cx: &Cx<'_>) -> bool {
        item_key(&cx.refs).is_some_and(|key| self.known.get(&key).is_some())
    }

    /// The session of a call, for messages that name the call alone.
    pub fn session_of(&self, call: &Arc<str>) -> Option<Arc<str>> {
        self.sessions.get(call).cloned()
    }

    /// The title that the call had last.
    pub fn title(&self, cx: &Cx<'_>) -> Option<&str> {
        self.known.get(&item_key(&cx.refs)?)?.title.as_deref()
    }

    /// What a message tells about the call that the context names, as an item. `data` is the
    /// message as it was sent.
    pub fn item(&mut self, cx: &Cx<'_>, news: News<'_>, data: OwnedJson) -> ItemLifecycle {
        let input = Input::read(news.input);
        let (item_type, _) = self.learn(cx, &news, &input);
        let detail = news.output.and_then(filled).or(input.command);
        let title = news.title.and_then(filled);
        // The end of a call tells what it was, and nothing asks for that again.
        let title = if is_end(news.status) {
            let known = item_key(&cx.refs).and_then(|key| self.known.get_mut(&key)?.title.take());
            title.or(known)
        } else {
            title
        };
        ItemLifecycle {
            item_type: item_type.unwrap_or(ItemType::Unknown),
            status: news.status,
            title,
            // A command is often the whole title.
            detail: detail.filter(|detail| news.title != Some(detail)),
            data: Some(data),
        }
    }

    /// What a request about the call that the context names asks for.
    pub fn request_type(&mut self, cx: &Cx<'_>, news: &News<'_>) -> RequestType {
        let input = Input::read(news.input);
        let (_, request_type) = self.learn(cx, news, &input);
        request_type.unwrap_or(RequestType::Unknown)
    }

    /// Takes in what a message tells, and gives back what is known then. The type of a call that
    /// ended stays: another one would make it another item.
    fn learn(
        &mut self,
        cx: &Cx<'_>,
        news: &News<'_>,
        input: &Input,
    ) -> (Option<ItemType>, Option<RequestType>) {
        let told = types(news, input);
        let Some(key) = item_key(&cx.refs) else {
            return (told.map(|(item, _)| item), told.map(|(_, request)| request));
        };
        let mut call = self.known.get(&key).cloned().unwrap_or_default();
        if let Some((item_type, request_type)) = told
            && !(call.ended && call.item_type.is_some())
            && is_more(call.item_type, item_type)
        {
            call.item_type = Some(item_type);
            call.request_type = Some(request_type);
        }
        if let Some(title) = news.title.and_then(filled) {
            call.title = Some(title);
        }
        call.ended |= is_end(news.status);
        let known = (call.item_type, call.request_type);
        let (session, name) = &key;
        self.sessions.insert(Arc::clone(name), Arc::clone(session));
        self.known.insert(key, call);
        known
    }
}

fn is_end(status: Option<ItemStatus>) -> bool {
    matches!(
        status,
        Some(ItemStatus::Completed | ItemStatus::Failed | ItemStatus::Declined)
    )
}

/// Whether a type says more than what is known: agents often announce a call before its input is
/// there, and repeat its kind later.
fn is_more(known: Option<ItemType>, told: ItemType) -> bool {
    match known {
        None => true,
        Some(known) => known == ItemType::DynamicToolCall || told != ItemType::DynamicToolCall,
    }
}

/// The types of a call. An MCP server and a subagent are told by the input alone, whatever the
/// kind; a command only where the kind says nothing better.
fn types(news: &News<'_>, input: &Input) -> Option<(ItemType, RequestType)> {
    let mcp = news.name.is_some_and(|name| name.starts_with("mcp__"));
    if mcp || input.server {
        return Some((ItemType::McpToolCall, RequestType::DynamicToolCall));
    }
    if input.agent {
        return Some((ItemType::CollabAgentToolCall, RequestType::DynamicToolCall));
    }
    let vague = news.by_kind.is_none_or(|(item_type, request_type)| {
        item_type == ItemType::DynamicToolCall && request_type == RequestType::DynamicToolCall
    });
    if vague && input.command.is_some() {
        return Some((
            ItemType::CommandExecution,
            RequestType::CommandExecutionApproval,
        ));
    }
    news.by_kind
}

/// What a raw input tells. Each agent has its own names for the same things.
#[derive(Debug, Default)]
struct Input {
    command: Option<String>,
    /// It names an MCP server.
    server: bool,
    /// It is for another agent.
    agent: bool,
}

impl Input {
    fn read(raw: Option<Json<'_>>) -> Self {
        let mut input = Self::default();
        if let Some(raw) = raw {
            // What can't be read tells nothing.
            let _ = input.fill(&mut Reader::new(raw.as_str()));
        }
        input
    }

    fn fill(&mut self, reader: &mut Reader<'_>) -> Result<(), Malformed> {
        if reader.kind()? != Kind::Object {
            return Ok(());
        }
        let (mut server, mut tool) = (false, false);
        let mut object = reader.object()?;
        while let Some(name) = reader.key(&mut object)? {
            let kind = reader.kind()?;
            match (&*name, kind) {
                ("command" | "cmd", Kind::String) => {
                    self.command = filled(reader.string()?);
                    continue;
                }
                ("command" | "cmd" | "commands", Kind::Array) => {
                    self.command = words(reader)?;
                    continue;
                }
                ("server" | "serverName", Kind::String) => server = true,
                ("tool" | "toolName", Kind::String) => tool = true,
                ("server_name", Kind::String) => self.server = true,
                ("subagent_type", Kind::String) | ("receiverThreadIds", Kind::Array) => {
                    self.agent = true;
                }
                _ => {}
            }
            reader.skip()?;
        }
        self.server |= server && tool;
        Ok(())
    }
}

/// The texts of a list, with blanks between.
fn words(reader: &mut Reader<'_>) -> Result<Option<String>, Malformed> {
    let mut words = Vec::new();
    let mut array = reader.array()?;
    while reader.element(&mut array)? {
        if reader.kind()? == Kind::String {
            words.push(reader.string()?);
        } else {
            reader.skip()?;
        }
    }
    Ok(filled(words.join(" ")))
}

/// The members of a raw output that hold what people want to read, the better ones first.
const OUTPUTS: &[&str] = &[
    "formatted_output",
    "aggregated_output",
    "output",
    "stdout",
    "stderr",
    "content",
    "detailedContent",
    "text",
    "message",
    "error",
];

/// A raw output for people: its text, or its figures.
pub(super) fn output_summary(raw: Option<Json<'_>>) -> Option<String> {
    let raw = raw?;
    let mut reader = Reader::new(raw.as_str());
    match reader.kind().ok()? {
        Kind::String => filled(reader.string().ok()?),
        Kind::Object => of_members(&mut reader).ok()?,
        Kind::Array | Kind::Number | Kind::Boolean | Kind::Null => None,
    }
}

fn of_members(reader: &mut Reader<'_>) -> Result<Option<String>, Malformed> {
    let mut texts: Vec<Option<String>> = vec![None; OUTPUTS.len()];
    let mut figures = Vec::new();
    let mut object = reader.object()?;
    while let Some(name) = reader.key(&mut object)? {
        let place = OUTPUTS.iter().position(|known| **known == *name);
        match (reader.kind()?, place) {
            (Kind::String, Some(place)) => {
                let text = filled(reader.string()?);
                if let Some(slot) = texts.get_mut(place) {
                    *slot = text;
                }
            }
            (Kind::Number, _) => figures.push(format!("{name}: {}", reader.raw()?.as_str())),
            _ => reader.skip()?,
        }
    }
    let figures = (!figures.is_empty()).then(|| figures.join(", "));
    Ok(texts.into_iter().flatten().next().or(figures))
}
