//! Requests of an agent, version 1: what needs the client, or the user behind it.

use std::sync::Arc;

use crate::canonical::{ItemStarted, RequestOpened, RequestType, UserInputRequested};
use crate::generated::acp_v1::request::{Mapping, row};
use crate::generated::acp_v1::{
    CreateElicitationRequest, CreateElicitationRequestKind, CreateTerminalRequest,
    CursorAskQuestionRequest, CursorCreatePlanRequest, CursorGenerateImageRequest,
    CursorTaskRequest, CursorUpdateTodosRequest, KillTerminalRequest, MessageMcpRequest,
    ReadTextFileRequest, ReleaseTerminalRequest, RequestPermissionRequest, TerminalOutputRequest,
    WaitForTerminalExitRequest, WriteTextFileRequest, values,
};
use crate::mapping::{Cx, Out};
use crate::parts::{filled, part, pick};

use super::mapping::{AcpMapping, Asks};
use super::v1_method::{image, plan_of_todos, task};
use super::v1_parts::news_of;

impl Mapping for AcpMapping {
    fn cursor_ask_question(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CursorAskQuestionRequest<'_>,
        out: Out<row::CursorAskQuestion>,
    ) {
        let questions = part(cx, &["questions"]);
        out.emit(cx, UserInputRequested { questions });
        let prompts = params.questions.iter().map(|question| &*question.prompt);
        let prompts: Vec<&str> = params.title.as_deref().into_iter().chain(prompts).collect();
        let request = self.opened(cx, RequestType::ToolUserInput, &prompts.join(" "));
        out.emit(cx, request);
    }

    fn cursor_create_plan(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CursorCreatePlanRequest<'_>,
        out: Out<row::CursorCreatePlan>,
    ) {
        let phases = params.phases.as_deref().unwrap_or_default().iter();
        let of_phases = phases.flat_map(|phase| phase.todos.as_deref().unwrap_or_default());
        let todos = params.todos.as_deref().unwrap_or_default().iter();
        let todos: Vec<_> = todos.chain(of_phases).cloned().collect();
        let mut plan = plan_of_todos(&todos);
        let text = params.overview.as_deref().or(params.plan.as_deref());
        plan.explanation = text.and_then(filled).map(Some);
        out.emit(cx, plan);
        let name = params.name.as_deref().or(params.overview.as_deref());
        let request = self.opened(cx, RequestType::ToolUserInput, name.unwrap_or_default());
        out.emit(cx, request);
    }

    fn cursor_generate_image(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CursorGenerateImageRequest<'_>,
        out: Out<row::CursorGenerateImage>,
    ) {
        out.emit(cx, image(cx, params));
        let words = params.description.as_deref().unwrap_or_default();
        let request = self.opened(cx, RequestType::DynamicToolCall, words);
        out.emit(cx, request);
    }

    fn cursor_task(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CursorTaskRequest<'_>,
        out: Out<row::CursorTask>,
    ) {
        let (started, completed) = task(params);
        out.emit(cx, started);
        out.emit(cx, completed);
        let words = params.description.as_deref().unwrap_or_default();
        let request = self.opened(cx, RequestType::DynamicToolCall, words);
        out.emit(cx, request);
    }

    fn cursor_update_todos(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CursorUpdateTodosRequest<'_>,
        out: Out<row::CursorUpdateTodos>,
    ) {
        out.emit(cx, plan_of_todos(&params.todos));
        let request = self.opened(cx, RequestType::DynamicToolCall, "");
        out.emit(cx, request);
    }

    fn elicitation_create(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CreateElicitationRequest<'_>,
        out: Out<row::ElicitationCreate>,
    ) {
        let words = match &params.kind {
            CreateElicitationRequestKind::Form(_) => {
                let questions = pick(cx, &[&["message"], &["requestedSchema"]]);
                out.emit(cx, UserInputRequested { questions });
                params.message.to_string()
            }
            CreateElicitationRequestKind::Url(link) => {
                let id = Arc::from(link.elicitation_id.as_str());
                self.elicitations.insert(id, cx.refs.clone());
                format!("{} {}", params.message, link.url)
            }
            CreateElicitationRequestKind::Unrecognized(_) => params.message.to_string(),
        };
        let request = self.opened(cx, RequestType::ToolUserInput, &words);
        out.emit(cx, request);
    }

    fn fs_read_text_file(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ReadTextFileRequest<'_>,
    ) -> RequestOpened {
        self.opened(cx, RequestType::FileReadApproval, &params.path)
    }

    fn fs_write_text_file(
        &mut self,
        cx: &mut Cx<'_>,
        params: &WriteTextFileRequest<'_>,
    ) -> RequestOpened {
        self.opened(cx, RequestType::FileChangeApproval, &params.path)
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
        let call = &params.tool_call;
        // Some agents announce a call that needs a permission nowhere else.
        if !self.calls.knows(cx) {
            let data = part(cx, &["toolCall"]);
            let item = self.calls.item(cx, news_of(call), data);
            out.emit(cx, ItemStarted(item));
        }
        let request_type = self.calls.request_type(cx, &news_of(call));
        let title = call.title.as_deref().or_else(|| self.calls.title(cx));
        let title = title.unwrap_or_default().to_owned();
        let request = self.opened(cx, request_type, &title);
        let options = params.options.iter().map(|option| {
            let decision = values::permission_option_kind(&option.kind);
            (Box::from(option.option_id.as_str()), decision)
        });
        self.asks = Some(Asks {
            request_type,
            options: options.collect(),
        });
        out.emit(cx, request);
    }

    fn terminal_create(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CreateTerminalRequest<'_>,
    ) -> RequestOpened {
        let args = params.args.as_deref().unwrap_or_default().iter();
        let words: Vec<&str> = std::iter::once(&params.command)
            .chain(args)
            .map(|word| &**word)
            .collect();
        self.opened(cx, RequestType::CommandExecutionApproval, &words.join(" "))
    }

    fn terminal_kill(
        &mut self,
        cx: &mut Cx<'_>,
        params: &KillTerminalRequest<'_>,
    ) -> RequestOpened {
        self.opened(
            cx,
            RequestType::DynamicToolCall,
            params.terminal_id.as_str(),
        )
    }

    fn terminal_output(
        &mut self,
        cx: &mut Cx<'_>,
        params: &TerminalOutputRequest<'_>,
    ) -> RequestOpened {
        self.opened(
            cx,
            RequestType::DynamicToolCall,
            params.terminal_id.as_str(),
        )
    }

    fn terminal_release(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ReleaseTerminalRequest<'_>,
    ) -> RequestOpened {
        self.opened(
            cx,
            RequestType::DynamicToolCall,
            params.terminal_id.as_str(),
        )
    }

    fn terminal_wait_for_exit(
        &mut self,
        cx: &mut Cx<'_>,
        params: &WaitForTerminalExitRequest<'_>,
    ) -> RequestOpened {
        self.opened(
            cx,
            RequestType::DynamicToolCall,
            params.terminal_id.as_str(),
        )
    }
}

impl AcpMapping {
    /// A request, whose type is kept for its answer.
    pub(super) fn opened(
        &mut self,
        cx: &Cx<'_>,
        request_type: RequestType,
        detail: &str,
    ) -> RequestOpened {
        self.asks = Some(Asks::of(request_type));
        // A request may come without params.
        let args = Some(cx.body()).filter(|body| !body.as_str().is_empty());
        RequestOpened {
            request_type,
            detail: filled(detail),
            args,
        }
    }
}
