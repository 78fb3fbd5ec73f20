//! Requests of an agent, version 1: what needs the client, or the user behind it.

use crate::canonical::{ItemStarted, ItemStatus, RequestOpened, RequestType, UserInputRequested};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{filled, part};
use crate::providers::acp::wire::v1::request::{Mapping, implied, row};
use crate::providers::acp::wire::v1::{
    CreateElicitationRequest, CreateTerminalRequest,
    CursorAskQuestionRequest, CursorCreatePlanRequest, CursorGenerateImageRequest,
    CursorTaskRequest, CursorUpdateTodosRequest, KillTerminalRequest, MessageMcpRequest,
    ReadTextFileRequest, ReleaseTerminalRequest, RequestPermissionRequest, TerminalOutputRequest,
    WaitForTerminalExitRequest, WriteTextFileRequest,
};

use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::open_items::Step;
use crate::providers::acp::parts::{One, Parts, asks};
use crate::providers::acp::todos::steps;
use super::notification_method::{image, task};
use super::parts::news_of;

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
        let mut plan = steps(todos.chain(of_phases));
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
        let image = image(self, cx, params, &implied::next_item());
        out.emit(cx, image);
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
        let plan = self.todos.plan(cx, &params.todos, params.merge == Some(true));
        out.emit(cx, plan);
        let request = self.opened(cx, RequestType::DynamicToolCall, "");
        out.emit(cx, request);
    }

    fn elicitation_create(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CreateElicitationRequest<'_>,
        out: Out<row::ElicitationCreate>,
    ) {
        self.question(cx, &params.message, One::way(&params.kind), &out);
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
            let mut news = news_of(call);
            if call.status.is_none() {
                news.status = Some(ItemStatus::InProgress);
            }
            let mut item = self.calls.item(cx, news, data);
            self.watch(cx, &mut item, Step::Starts, &implied::next_item());
            out.emit(cx, ItemStarted(item));
        }
        let request_type = self.calls.request_type(cx, &news_of(call));
        let title = call.title.as_deref().or_else(|| self.calls.title(cx));
        let title = title.unwrap_or_default().to_owned();
        let request = self.opened(cx, request_type, &title);
        self.requests.asks(asks::<One>(request_type, &params.options));
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
