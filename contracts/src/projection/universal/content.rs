//! What items hold: canonical items as the parts of a universal item.

use std::sync::Arc;

use super::item::{ContentPart, FileAction, ItemKind, ItemRole, ItemStatus, Visibility};
use crate::canonical::{ItemLifecycle, ItemType};
use crate::json::OwnedJson;
use crate::projection::calls::call_name;
use crate::projection::opaque::{elements, first, member, member_text, shown, text};

/// Arguments past this size are not kept until the call ends.
const KEPT_ARGUMENTS: usize = 64 * 1024;

/// How an item is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A message of somebody.
    Said(ItemRole),
    /// A reasoning of the assistant.
    Thought,
    /// A call of a tool.
    Called,
    /// A status with a label.
    Noted(&'static str),
    /// Nothing that the schema names.
    Unknown,
}

impl Form {
    /// The form of a canonical item. Reasonings and plans are messages, since the assistant says
    /// them; a reasoning differs by its parts.
    pub const fn of(item_type: ItemType) -> Self {
        match item_type {
            ItemType::UserMessage => Self::Said(ItemRole::User),
            ItemType::AssistantMessage | ItemType::Plan => Self::Said(ItemRole::Assistant),
            ItemType::Reasoning => Self::Thought,
            ItemType::CommandExecution
            | ItemType::FileChange
            | ItemType::McpToolCall
            | ItemType::DynamicToolCall
            | ItemType::CollabAgentToolCall
            | ItemType::WebSearch
            | ItemType::ImageView => Self::Called,
            ItemType::ReviewEntered
            | ItemType::ReviewExited
            | ItemType::ContextCompaction
            | ItemType::Error => Self::Noted(item_type.as_str()),
            ItemType::Unknown => Self::Unknown,
        }
    }

    /// Whether the item is a message, which always has a delta.
    pub const fn is_message(self) -> bool {
        match self {
            Self::Said(_) | Self::Thought => true,
            Self::Called | Self::Noted(_) | Self::Unknown => false,
        }
    }

    /// What the item is called in the schema.
    pub const fn kind(self) -> ItemKind {
        match self {
            Self::Said(_) | Self::Thought => ItemKind::Message,
            Self::Called => ItemKind::ToolCall,
            Self::Noted(_) => ItemKind::Status,
            Self::Unknown => ItemKind::Unknown,
        }
    }

    /// Who the item is of.
    pub const fn role(self) -> Option<ItemRole> {
        match self {
            Self::Said(role) => Some(role),
            Self::Thought | Self::Called => Some(ItemRole::Assistant),
            Self::Noted(_) | Self::Unknown => None,
        }
    }
}

/// How an item ended. A status that says nothing is no success, and neither is an end that is
/// still in progress.
pub(super) const fn ended(item: &ItemLifecycle) -> ItemStatus {
    use crate::canonical::ItemStatus as Canonical;
    match (item.status, item.item_type) {
        // It ended as an item and is an error all the same.
        (_, ItemType::Error) => ItemStatus::Failed,
        (Some(Canonical::Completed), _) => ItemStatus::Completed,
        (Some(Canonical::InProgress | Canonical::Failed | Canonical::Declined) | None, _) => {
            ItemStatus::Failed
        }
    }
}

/// The call of a tool: its name and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub name: String,
    pub arguments: String,
}

impl Call {
    /// What the canonical item tells about the call.
    pub fn of(item: &ItemLifecycle) -> Self {
        Self {
            name: call_name(item),
            arguments: arguments(item),
        }
    }

    /// What the end of a call tells about it, with what only its beginning told.
    pub fn of_end(item: &ItemLifecycle, begun: Option<&Self>) -> Self {
        let mut call = Self::of(item);
        let Some(begun) = begun else {
            return call;
        };
        if call.name == item.item_type.as_str() {
            call.name.clone_from(&begun.name);
        }
        if own_arguments(item).is_none() && !matches!(&*begun.arguments, "{}" | "null") {
            call.arguments.clone_from(&begun.arguments);
        }
        call
    }

    /// The part that stands for it.
    pub fn part(&self, call_id: &Arc<str>) -> ContentPart {
        ContentPart::ToolCall {
            name: self.name.clone(),
            arguments: self.arguments.clone(),
            call_id: Arc::clone(call_id),
        }
    }

    /// The same without arguments that are too long to be kept.
    pub fn kept(mut self) -> Self {
        if self.arguments.len() > KEPT_ARGUMENTS {
            self.arguments = String::from("null");
        }
        self
    }
}

/// The arguments as the text of a JSON value; the whole item where they stand nowhere apart.
fn arguments(item: &ItemLifecycle) -> String {
    own_arguments(item).unwrap_or_else(|| match &item.data {
        Some(data) if item.item_type == ItemType::CollabAgentToolCall => data.as_str().to_owned(),
        Some(_) | None => String::from("{}"),
    })
}

/// The arguments: those of the provider, untouched, where they stand apart; else what the item is
/// about.
fn own_arguments(item: &ItemLifecycle) -> Option<String> {
    let data = item.data.as_ref();
    let own = data.and_then(|data| first(data, &["arguments", "input", "rawInput", "raw_input"]));
    if let Some(own) = own {
        return Some(own.to_owned());
    }
    let about = match item.item_type {
        ItemType::CommandExecution => "command",
        ItemType::WebSearch => "query",
        ItemType::ImageView => "path",
        ItemType::FileChange => {
            if let Some(changes) = data.and_then(|data| first(data, &["changes"])) {
                return Some(format!("{{\"changes\":{changes}}}"));
            }
            "path"
        }
        ItemType::UserMessage
        | ItemType::AssistantMessage
        | ItemType::Reasoning
        | ItemType::Plan
        | ItemType::McpToolCall
        | ItemType::DynamicToolCall
        | ItemType::CollabAgentToolCall
        | ItemType::ReviewEntered
        | ItemType::ReviewExited
        | ItemType::ContextCompaction
        | ItemType::Error
        | ItemType::Unknown => return None,
    };
    object(about, item.title.as_deref())
}

fn object(name: &str, value: Option<&str>) -> Option<String> {
    value.map(|value| serde_json::json!({name: value}).to_string())
}

/// The parts of a result: what the call gave, and the files that it touched.
pub(super) fn result_parts(item: Option<&ItemLifecycle>, call_id: &Arc<str>) -> Vec<ContentPart> {
    const GIVEN: &[&str] = &[
        "aggregatedOutput",
        "aggregated_output",
        "result",
        "output",
        "rawOutput",
        "raw_output",
        "contentItems",
        "content",
        "error",
    ];
    let data = item.and_then(|item| item.data.as_ref());
    let output = item
        .and_then(|item| item.detail.clone())
        .or_else(|| data.and_then(|data| first(data, GIVEN)).map(shown))
        .unwrap_or_default();
    let mut parts = vec![ContentPart::ToolResult {
        call_id: Arc::clone(call_id),
        output,
    }];
    if item.is_some_and(|item| item.item_type == ItemType::FileChange) {
        parts.extend(data.map(files).unwrap_or_default());
    }
    parts
}

/// The files of a change: those of a list `changes`, or the diffs among the blocks of `content`.
fn files(data: &OwnedJson) -> Vec<ContentPart> {
    let Some(listed) = first(data, &["changes", "content"]) else {
        return Vec::new();
    };
    elements(listed)
        .into_iter()
        .filter_map(|change| {
            let path = member_text(change, "path")?;
            let diff = ["diff", "unified_diff"]
                .iter()
                .find_map(|name| member_text(change, name));
            let kind = member(change, "kind").unwrap_or("null");
            let kind = member_text(kind, "type").or_else(|| text(kind));
            let is_new = kind.as_deref() == Some("add");
            let action = if diff.is_some() && !is_new {
                FileAction::Patch
            } else {
                FileAction::Write
            };
            Some(ContentPart::FileRef { path, action, diff })
        })
        .collect()
}

/// The parts of an item that is not a call.
pub(super) fn parts(
    form: Form,
    private: bool,
    text: Option<String>,
    data: Option<&OwnedJson>,
) -> Vec<ContentPart> {
    match form {
        Form::Said(_) => text
            .map(|text| ContentPart::Text { text })
            .into_iter()
            .collect(),
        Form::Thought => vec![ContentPart::Reasoning {
            text: text.unwrap_or_default(),
            visibility: if private {
                Visibility::Private
            } else {
                Visibility::Public
            },
        }],
        Form::Noted(label) => vec![ContentPart::Status {
            label: label.to_owned(),
            detail: text,
        }],
        Form::Called | Form::Unknown => {
            let json = data.map(|data| ContentPart::Json { json: data.clone() });
            let text = text.map(|text| ContentPart::Text { text });
            text.into_iter().chain(json).collect()
        }
    }
}

/// Whether a reasoning is the model's own: it has no summary.
pub(super) fn is_private(item: &ItemLifecycle) -> bool {
    let data = item.data.as_ref();
    let has = |name| {
        data.and_then(|data| first(data, &[name]))
            .is_some_and(|value| !elements(value).is_empty())
    };
    has("content") && !has("summary")
}
