//! Tools: the slug that stands for each, and the line that says what it is doing.

use super::event::{Status, ToolSlug};
use crate::canonical::{ItemLifecycle, ItemType};
use crate::projection::calls::{call_name, named};
use crate::projection::opaque::{elements, first, member_text};

/// How much of a text a status shows.
const SHOWN: usize = 160;

/// The status of a call that begins; nothing where the item is no call of a tool.
pub(super) fn status(item: &ItemLifecycle) -> Option<Status> {
    let (slug, about) = match item.item_type {
        ItemType::CommandExecution => command(item).unwrap_or_else(|| {
            (
                ToolSlug::Bash,
                title(item, &[ToolSlug::Bash]).or_else(|| input_text(item)),
            )
        }),
        ItemType::FileChange => (
            file_change(item),
            title(item, &[ToolSlug::Write, ToolSlug::Edit]).or_else(|| input_text(item)),
        ),
        ItemType::WebSearch => (web(item), title(item, &[]).or_else(|| input_text(item))),
        ItemType::ImageView => (
            ToolSlug::Read,
            title(item, &[]).or_else(|| input_text(item)),
        ),
        ItemType::CollabAgentToolCall => (
            ToolSlug::Agent,
            title(item, &[]).or_else(|| input_text(item)),
        ),
        ItemType::McpToolCall => {
            let name = call_name(item);
            (
                by_name(&name),
                Some(name).filter(|name| name != item.item_type.as_str()),
            )
        }
        ItemType::DynamicToolCall => dynamic(item),
        ItemType::UserMessage
        | ItemType::AssistantMessage
        | ItemType::Reasoning
        | ItemType::Plan
        | ItemType::ReviewEntered
        | ItemType::ReviewExited
        | ItemType::ContextCompaction
        | ItemType::Error
        | ItemType::Unknown => return None,
    };
    Some(Status::of_tool(slug, sentence(slug, about.as_deref())))
}

/// The slug of a tool by the name that its runtime has for it.
pub(super) fn by_name(name: &str) -> ToolSlug {
    // What a server or a namespace is called says nothing about what its tool does.
    let bare = name.rsplit(['/', '.', ':']).next().unwrap_or(name);
    let bare = bare.rsplit("__").next().unwrap_or(bare);
    let plain: String = bare
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    match plain.as_str() {
        "search" | "websearch" | "grep" | "greptool" | "codesearch" | "searchtext"
        | "searchfiles" | "ripgrep" | "toolsearch" | "searchfilecontent" => ToolSlug::Search,
        "fetch" | "webfetch" | "browse" | "download" | "readwebpage" | "httprequest" => {
            ToolSlug::Fetch
        }
        "read" | "readfile" | "readmanyfiles" | "notebookread" | "view" | "viewimage" | "cat"
        | "readmcpresource" | "openfile" => ToolSlug::Read,
        "write" | "writefile" | "create" | "createfile" => ToolSlug::Write,
        "edit"
        | "editfile"
        | "multiedit"
        | "notebookedit"
        | "applypatch"
        | "patch"
        | "replace"
        | "strreplace"
        | "strreplaceeditor"
        | "strreplacebasededittool"
        | "undoedit" => ToolSlug::Edit,
        "bash" | "shell" | "exec" | "execcommand" | "runshellcommand" | "runcommand"
        | "executecommand" | "localshell" | "terminal" | "bashoutput" | "killshell"
        | "killbash" | "writestdin" => ToolSlug::Bash,
        "files" | "glob" | "ls" | "list" | "listdirectory" | "listdir" | "listfiles"
        | "findfiles" => ToolSlug::Files,
        "agent" | "task" | "subagent" | "spawnagent" | "sendinput" | "sendmessage" | "wait"
        | "waitagent" | "closeagent" | "resumeagent" | "oracle" | "delegate" => ToolSlug::Agent,
        "todo" | "todowrite" | "todoread" | "updateplan" | "updatetodos" | "writetodos" => {
            ToolSlug::Todo
        }
        "think" | "thinking" | "exitplanmode" | "sequentialthinking" => ToolSlug::Think,
        "sources" | "citations" | "cite" => ToolSlug::Sources,
        _ => ToolSlug::Tool,
    }
}

/// One line that is safe to show: no line breaks, no control characters, not too long.
pub(super) fn line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let text = words.join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// What a tool is doing, with what it is about.
pub(super) fn sentence(slug: ToolSlug, about: Option<&str>) -> String {
    let about = about.map(line).filter(|about| !about.is_empty());
    let verb = match slug {
        ToolSlug::Search => "Searching",
        ToolSlug::Fetch => "Fetching",
        ToolSlug::Read => "Reading",
        ToolSlug::Write => "Writing",
        ToolSlug::Edit => "Editing",
        ToolSlug::Bash => "Running",
        ToolSlug::Files => "Looking for files",
        ToolSlug::Agent => "Working with an agent",
        ToolSlug::Todo => "Updating the plan",
        ToolSlug::Think => "Thinking",
        ToolSlug::Sources => "Collecting sources",
        ToolSlug::Tool => "Using",
    };
    match (slug, about) {
        (_, None) if slug == ToolSlug::Bash => String::from("Running a command"),
        (_, None) if slug == ToolSlug::Tool => String::from("Using a tool"),
        (_, None) => verb.to_owned(),
        (
            ToolSlug::Files
            | ToolSlug::Agent
            | ToolSlug::Todo
            | ToolSlug::Think
            | ToolSlug::Sources,
            Some(about),
        ) => format!("{verb}: {about}"),
        (
            ToolSlug::Search
            | ToolSlug::Fetch
            | ToolSlug::Read
            | ToolSlug::Write
            | ToolSlug::Edit
            | ToolSlug::Bash
            | ToolSlug::Tool,
            Some(about),
        ) => format!("{verb} {about}"),
    }
}

/// What a command does, where the provider has understood it and it does one thing.
fn command(item: &ItemLifecycle) -> Option<(ToolSlug, Option<String>)> {
    let data = item.data.as_ref()?;
    let actions = elements(first(data, &["commandActions", "parsed_cmd"])?);
    let [action] = actions.as_slice() else {
        return None;
    };
    let (slug, names): (ToolSlug, &[&str]) = match &*member_text(action, "type")? {
        "read" => (ToolSlug::Read, &["name", "path"]),
        "listFiles" | "list_files" => (ToolSlug::Files, &["path"]),
        "search" => (ToolSlug::Search, &["query", "path"]),
        _ => return None,
    };
    let about = names.iter().find_map(|name| member_text(action, name));
    Some((slug, about))
}

/// Writing where every file is new, else editing.
fn file_change(item: &ItemLifecycle) -> ToolSlug {
    let data = item.data.as_ref();
    let changes = data.and_then(|data| first(data, &["changes"]));
    let changes = changes.map(elements).unwrap_or_default();
    let is_new = |change: &&str| {
        let kind = crate::projection::opaque::member(change, "kind").unwrap_or_default();
        let nested = member_text(kind, "type");
        nested
            .or_else(|| crate::projection::opaque::text(kind))
            .as_deref()
            == Some("add")
    };
    if !changes.is_empty() && changes.iter().all(is_new) {
        return ToolSlug::Write;
    }
    // Some agents tell the name of the tool as the title.
    let names = [Some(call_name_of_data(item)), item.title.clone()];
    let writes = |name: String| by_name(&name) == ToolSlug::Write;
    match names.into_iter().flatten().any(writes) {
        true => ToolSlug::Write,
        false => ToolSlug::Edit,
    }
}

/// The canonical type holds both the search and the fetch of a page.
fn web(item: &ItemLifecycle) -> ToolSlug {
    let data = item.data.as_ref();
    let action = data.and_then(|data| first(data, &["action"]));
    let action = action.and_then(|action| member_text(action, "type"));
    let kind = data.and_then(|data| member_text(data.as_str(), "kind"));
    let name = by_name(&call_name_of_data(item));
    let fetches = matches!(action.as_deref(), Some("openPage" | "open_page"))
        || kind.as_deref() == Some("fetch")
        || name == ToolSlug::Fetch;
    if fetches {
        ToolSlug::Fetch
    } else {
        ToolSlug::Search
    }
}

fn dynamic(item: &ItemLifecycle) -> (ToolSlug, Option<String>) {
    let name = call_name(item);
    let by_kind = item
        .data
        .as_ref()
        .and_then(|data| member_text(data.as_str(), "kind"))
        .and_then(|kind| match kind.as_str() {
            "read" => Some(ToolSlug::Read),
            "edit" | "delete" | "move" => Some(ToolSlug::Edit),
            "search" => Some(ToolSlug::Search),
            "execute" => Some(ToolSlug::Bash),
            "think" => Some(ToolSlug::Think),
            "fetch" => Some(ToolSlug::Fetch),
            _ => None,
        });
    let slug = match (by_name(&name), by_kind) {
        (ToolSlug::Tool, Some(kind)) => kind,
        (named, _) => named,
    };
    let titled = item.title.clone().filter(|title| *title != name);
    let about = match slug {
        ToolSlug::Tool => titled.or(Some(name).filter(|name| name != item.item_type.as_str())),
        ToolSlug::Search
        | ToolSlug::Fetch
        | ToolSlug::Read
        | ToolSlug::Write
        | ToolSlug::Edit
        | ToolSlug::Bash
        | ToolSlug::Files
        | ToolSlug::Agent
        | ToolSlug::Todo
        | ToolSlug::Think
        | ToolSlug::Sources => input_text(item).or(titled),
    };
    (slug, about)
}

/// The name that the provider's item gives to its tool, if it gives one.
fn call_name_of_data(item: &ItemLifecycle) -> String {
    named(item).unwrap_or_default()
}

/// A title that says more than the name of the tool, which the verb says already.
fn title(item: &ItemLifecycle, slugs: &[ToolSlug]) -> Option<String> {
    let name = named(item);
    let is_name = |title: &String| name.as_ref() == Some(title) || slugs.contains(&by_name(title));
    item.title.clone().filter(|title| !is_name(title))
}

/// The argument that tells best what a call is about.
fn input_text(item: &ItemLifecycle) -> Option<String> {
    let data = item.data.as_ref()?;
    let input = first(data, &["input", "arguments", "rawInput", "raw_input"])?;
    [
        "file_path",
        "filePath",
        "path",
        "notebook_path",
        "query",
        "pattern",
        "url",
        "command",
        "cmd",
        "description",
    ]
    .iter()
    .find_map(|name| member_text(input, name))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::json::OwnedJson;

    fn item(item_type: ItemType, title: Option<&str>, data: &str) -> ItemLifecycle {
        ItemLifecycle {
            title: title.map(str::to_owned),
            data: Some(OwnedJson::parse(data).unwrap()),
            ..ItemLifecycle::new(item_type)
        }
    }

    #[test]
    fn every_slug_has_a_name_of_a_tool() {
        let names = [
            ("WebSearch", ToolSlug::Search),
            ("WebFetch", ToolSlug::Fetch),
            ("Read", ToolSlug::Read),
            ("write_file", ToolSlug::Write),
            ("MultiEdit", ToolSlug::Edit),
            ("run_shell_command", ToolSlug::Bash),
            ("Glob", ToolSlug::Files),
            ("spawn_agent", ToolSlug::Agent),
            ("TodoWrite", ToolSlug::Todo),
            ("mcp__mind__sequentialthinking", ToolSlug::Think),
            ("citations", ToolSlug::Sources),
            ("lighthouse", ToolSlug::Tool),
        ];
        for (name, slug) in names {
            assert_eq!(by_name(name), slug, "{name}");
        }
        assert_eq!(names.map(|(_, slug)| slug).as_slice(), ToolSlug::ALL);
        assert_eq!(by_name("harbour/search"), ToolSlug::Search);
    }

    #[test]
    fn a_call_says_what_it_is_about() {
        let told = |item: ItemLifecycle| {
            let status = status(&item).unwrap();
            (status.tool.unwrap().as_str(), status.message)
        };
        let command = ItemType::CommandExecution;
        let reading =
            r#"{"commandActions":[{"type":"read","name":"README.md","path":"/w/README.md"}]}"#;
        let two = r#"{"commandActions":[{"type":"read","name":"a"},{"type":"read","name":"b"}]}"#;
        let cases = [
            (
                item(command, Some("cat README.md"), reading),
                "read",
                "Reading README.md",
            ),
            (
                item(command, Some("cat a b"), two),
                "bash",
                "Running cat a b",
            ),
            (item(command, None, "{}"), "bash", "Running a command"),
            // The verb says already what the tool is.
            (
                item(
                    command,
                    Some("Bash"),
                    r#"{"toolName":"Bash","input":{"cmd":"ls"}}"#,
                ),
                "bash",
                "Running ls",
            ),
            (
                item(command, Some("Terminal"), r#"{"rawInput":{}}"#),
                "bash",
                "Running a command",
            ),
            (
                item(
                    ItemType::FileChange,
                    Some("Write"),
                    r#"{"toolName":"Write","input":{"file_path":"a.md"}}"#,
                ),
                "write",
                "Writing a.md",
            ),
            (
                item(ItemType::FileChange, Some("WriteFile"), "{}"),
                "write",
                "Writing",
            ),
            (
                item(
                    ItemType::CollabAgentToolCall,
                    Some("Task"),
                    r#"{"toolName":"Task","input":{"description":"Count"}}"#,
                ),
                "agent",
                "Working with an agent: Count",
            ),
            (
                item(ItemType::McpToolCall, None, "{}"),
                "tool",
                "Using a tool",
            ),
            (
                item(ItemType::DynamicToolCall, None, "{}"),
                "tool",
                "Using a tool",
            ),
            (
                item(
                    ItemType::FileChange,
                    Some("a.rs"),
                    r#"{"changes":[{"path":"a.rs","kind":{"type":"add"}}]}"#,
                ),
                "write",
                "Writing a.rs",
            ),
            (
                item(
                    ItemType::FileChange,
                    Some("a.rs"),
                    r#"{"changes":[{"path":"a.rs","kind":{"type":"update"}}]}"#,
                ),
                "edit",
                "Editing a.rs",
            ),
            (
                item(ItemType::WebSearch, Some("tides"), "{}"),
                "search",
                "Searching tides",
            ),
            (
                item(
                    ItemType::WebSearch,
                    Some("u"),
                    r#"{"action":{"type":"openPage"}}"#,
                ),
                "fetch",
                "Fetching u",
            ),
            (
                item(
                    ItemType::DynamicToolCall,
                    Some("Read"),
                    r#"{"name":"Read","input":{"file_path":"a.md"}}"#,
                ),
                "read",
                "Reading a.md",
            ),
            (
                item(
                    ItemType::DynamicToolCall,
                    Some("Look at the log"),
                    r#"{"kind":"read"}"#,
                ),
                "read",
                "Reading",
            ),
            (
                item(ItemType::DynamicToolCall, Some("lighthouse"), "{}"),
                "tool",
                "Using lighthouse",
            ),
            (
                item(ItemType::McpToolCall, Some("harbour/post"), "{}"),
                "tool",
                "Using harbour/post",
            ),
            (
                item(ItemType::CollabAgentToolCall, Some("spawnAgent"), "{}"),
                "agent",
                "Working with an agent: spawnAgent",
            ),
        ];
        let count = cases.len();
        for (item, slug, message) in cases {
            assert_eq!(told(item), (slug, message.to_owned()));
        }
        assert_eq!(count, 19);
        assert_eq!(status(&ItemLifecycle::new(ItemType::Reasoning)), None);
    }

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(line("a\n\tb\u{1b}[0m  c"), "a b [0m c");
        let long = "é".repeat(SHOWN + 1);
        assert_eq!(line(&long).chars().count(), SHOWN + 1);
        assert!(line(&long).ends_with('…'));
        assert_eq!(line(&"é".repeat(SHOWN)), "é".repeat(SHOWN));
    }
}
