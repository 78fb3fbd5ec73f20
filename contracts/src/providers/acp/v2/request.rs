//! Requests of an agent, version 2: what needs the client, or the user behind it.

use crate::canonical::{ItemStarted, RequestOpened, RequestType};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::part;
use crate::providers::acp::wire::v2::request::{Mapping, implied, row};
use crate::providers::acp::wire::v2::{
    CreateElicitationRequest, MessageMcpRequest,
    RequestPermissionRequest, RequestPermissionSubject,
};

use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::open_items::Step;
use crate::providers::acp::parts::{Parts, Two, asks};
use super::calls::news_of;

impl Mapping for AcpMapping {
    fn elicitation_create(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CreateElicitationRequest<'_>,
        out: Out<row::ElicitationCreate>,
    ) {
        self.question(cx, &params.message, Two::way(&params.kind), &out);
    }

    fn mcp_message(&mut self, cx: &mut Cx<'_>, params: &MessageMcpRequest<'_>) -> RequestOpened {
        self.opened(cx, RequestType::DynamicToolCall, &params.method)
    }

    fn session_request_permission(
        &mut self,
        cx: &mut Cx<'_>,
        params: &RequestPermissionRequest<'_>,
        out: Out<row::SessionRequestPermission>,
    ) {
        // A subject that nobody can read may be anything.
        let mut request_type = RequestType::Unknown;
        let mut about = None;
        match &params.subject {
            Some(RequestPermissionSubject::ToolCall(subject)) => {
                let call = &subject.tool_call;
                self.name_call(cx, call.tool_call_id.as_str());
                // An agent may announce a call that needs a permission nowhere else.
                if !self.calls.knows(cx) {
                    let data = part(cx, &["subject", "toolCall"]);
                    let (_, mut item) = self.call(cx, call, data);
                    self.watch(cx, &mut item, Step::Starts, &implied::next_item());
                    out.emit(cx, ItemStarted(item));
                }
                request_type = self.calls.request_type(cx, &news_of(call));
                about = self.calls.title(cx).map(str::to_owned);
            }
            Some(RequestPermissionSubject::Command(subject)) => {
                request_type = RequestType::CommandExecutionApproval;
                about = Some(subject.command.to_string());
                let own = subject.tool_call_id.as_ref().map(|id| id.as_str());
                let terminal = subject.terminal_id.as_ref().map(|id| id.as_str());
                if let Some(id) = own.or(terminal) {
                    self.name_call(cx, id);
                }
            }
            Some(RequestPermissionSubject::Unrecognized(_)) | None => {}
        }
        // Some titles are the command itself, others only ask whether it may run.
        let about = about.filter(|about| *about != *params.title);
        let words = [
            Some(&*params.title),
            about.as_deref(),
            params.description.as_deref(),
        ];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let request = self.opened(cx, request_type, &words.join(" "));
        self.requests.asks(asks::<Two>(request_type, &params.options));
        out.emit(cx, request);
    }
}
