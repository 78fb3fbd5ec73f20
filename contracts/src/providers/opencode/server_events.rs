//! What the server tells of itself, of its host and of its terminals.

use std::sync::Arc;

use crate::canonical::{
    ExitKind, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus, ItemType, ItemUpdated,
    McpStatusUpdated, RuntimeWarning, SessionExited, SessionState, SessionStateChanged,
    ThreadMetadataUpdated,
};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{boolean, filled, metadata, object, part};
use crate::providers::opencode::wire;
use crate::providers::opencode::wire::event::row;
use crate::providers::opencode::wire::values;

use super::mapping::OpenCodeMapping;

/// `file.edited`.
pub(super) fn file_edited(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    _: &wire::EventFileEdited<'_>,
) -> ThreadMetadataUpdated {
    if let Some((id, thread)) = mapping.threads.only_working() {
        cx.refs.thread = Some(Arc::clone(id));
        cx.refs.turn = thread.turn_name().cloned();
    }
    metadata("fileEdited", part(cx, &["properties", "file"]))
}

/// `global.disposed`.
pub(super) fn global_disposed(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    _: &wire::EventGlobalDisposed<'_>,
    out: &Out<row::GlobalDisposed>,
) {
    for (id, thread) in mapping.threads.all() {
        cx.refs.thread = Some(Arc::clone(id));
        thread.break_off(cx, out);
    }
    cx.refs.thread = None;
    cx.refs.turn = None;
    let exit_kind = Some(ExitKind::Graceful);
    out.emit(
        cx,
        SessionExited {
            exit_kind,
            ..SessionExited::default()
        },
    );
}

/// `mcp.browser.open.failed`.
pub(super) fn mcp_browser_open_failed(
    _: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventMcpBrowserOpenFailed<'_>,
) -> RuntimeWarning {
    let server = &params.properties.mcp_name;
    warning(cx, format!("no browser opened to sign in to {server}"))
}

/// `mcp.tools.changed`.
pub(super) fn mcp_tools_changed(
    _: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    _: &wire::EventMcpToolsChanged<'_>,
) -> McpStatusUpdated {
    let server = part(cx, &["properties", "server"]);
    McpStatusUpdated {
        status: object(&[("server", server), ("toolsChanged", boolean(true))]),
    }
}

/// `pty.created`.
pub(super) fn pty_created(
    _: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPtyCreated<'_>,
) -> ItemStarted {
    terminal(cx, &params.properties.info).into()
}

/// `pty.deleted`.
pub(super) fn pty_deleted(
    _: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPtyDeleted<'_>,
) -> ItemCompleted {
    cx.refs.item = Some(Arc::from(&*params.properties.id));
    ItemCompleted(ItemLifecycle {
        data: Some(object(&[("removed", boolean(true))])),
        ..ItemLifecycle::new(ItemType::CommandExecution)
    })
}

/// `pty.exited`.
pub(super) fn pty_exited(
    _: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPtyExited<'_>,
) -> ItemCompleted {
    cx.refs.item = Some(Arc::from(&*params.properties.id));
    ItemCompleted(ItemLifecycle {
        status: Some(exit_status(Some(params.properties.exit_code))),
        data: cx.raw(&["properties"]),
        ..ItemLifecycle::new(ItemType::CommandExecution)
    })
}

/// `pty.updated`.
pub(super) fn pty_updated(
    _: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventPtyUpdated<'_>,
    out: &Out<row::PtyUpdated>,
) {
    let info = &params.properties.info;
    let told = terminal(cx, info);
    match info.status == wire::PtyStatus::Exited {
        true => out.emit(cx, ItemCompleted(told)),
        false => out.emit(cx, ItemUpdated(told)),
    }
}

/// `server.connected`.
pub(super) fn server_connected(
    _: &mut OpenCodeMapping,
    _: &mut Cx<'_>,
    _: &wire::EventServerConnected<'_>,
) -> SessionStateChanged {
    state(SessionState::Ready, "the server is connected", None)
}

/// `server.instance.disposed`.
pub(super) fn server_instance_disposed(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventServerInstanceDisposed<'_>,
    out: &Out<row::ServerInstanceDisposed>,
) {
    let directory = params.properties.directory.to_string();
    for (id, thread) in mapping.threads.all() {
        // Of a session that was never told, nobody knows that it goes on elsewhere.
        let folder = thread.directory.as_ref();
        if folder.is_none_or(|folder| *folder == directory) {
            cx.refs.thread = Some(Arc::clone(id));
            thread.break_off(cx, out);
        }
    }
    cx.refs.thread = None;
    cx.refs.turn = None;
    cx.refs.item = None;
    let reason = "the instance is disposed of";
    let stopped = state(SessionState::Stopped, reason, Some(directory));
    out.emit(cx, stopped);
}

/// `tui.toast.show`.
pub(super) fn tui_toast_show(
    _: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventTuiToastShow2<'_>,
) -> RuntimeWarning {
    warning(cx, params.properties.message.to_string())
}

/// `workspace.ready`.
pub(super) fn workspace_ready(
    _: &mut OpenCodeMapping,
    _: &mut Cx<'_>,
    params: &wire::EventWorkspaceReady<'_>,
) -> SessionStateChanged {
    let name = params.properties.name.to_string();
    state(SessionState::Ready, "the workspace is ready", Some(name))
}

/// `workspace.status`.
pub(super) fn workspace_status(
    _: &mut OpenCodeMapping,
    _: &mut Cx<'_>,
    params: &wire::EventWorkspaceStatus<'_>,
) -> SessionStateChanged {
    let told = &params.properties;
    // A status that nobody knows is no reason to go on as if all were well.
    let canonical = values::workspace_status(&told.status).unwrap_or(SessionState::Error);
    let workspace = told.workspace_id.to_string();
    state(canonical, told.status.as_str(), Some(workspace))
}

/// A warning in the server's own words, with all that it says.
pub(super) fn warning(cx: &Cx<'_>, message: String) -> RuntimeWarning {
    RuntimeWarning {
        message,
        detail: cx.raw(&["properties"]),
    }
}

fn state(state: SessionState, reason: &str, detail: Option<String>) -> SessionStateChanged {
    SessionStateChanged {
        state,
        reason: Some(reason.to_owned()),
        detail,
    }
}

/// A terminal of the host, which stands in no thread.
fn terminal(cx: &mut Cx<'_>, info: &wire::Pty<'_>) -> ItemLifecycle {
    cx.refs.item = Some(Arc::from(&*info.id));
    let status = match info.status {
        wire::PtyStatus::Exited => Some(exit_status(info.exit_code)),
        wire::PtyStatus::Running | wire::PtyStatus::Unrecognized(_) => {
            values::pty_status(&info.status)
        }
    };
    ItemLifecycle {
        status,
        title: filled(&*info.command),
        detail: filled(&*info.title),
        data: cx.raw(&["properties", "info"]),
        ..ItemLifecycle::new(ItemType::CommandExecution)
    }
}

/// How a program ended; without a code, nobody knows that it went well.
fn exit_status(code: Option<i64>) -> ItemStatus {
    match code {
        Some(0) => ItemStatus::Completed,
        Some(_) | None => ItemStatus::Failed,
    }
}
