//! Permissions: a request to use a tool, and what the host decides.

use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{
    Decision, RawSource, RequestOpened, RequestResolved, RequestType, TurnCompleted, TurnState,
    UserInputRequested, UserInputResolved,
};
use crate::json::{Note, Reader, Wire};
use crate::kit::conversation::calls::input_summary;
use crate::kit::conversation::turns::set_scope;
use crate::kit::core::{Core, Label, Place};
use crate::kit::mapping::{Cx, Out, member};
use crate::kit::parts::filled;
use crate::kit::session::Outcome;
use crate::providers::claude::wire::permission::{
    self as rows, Mapping, PermissionPhase, PermissionPhaseCanUseTool, PermissionPhaseDecision, row,
};
use crate::providers::claude::wire::{
    PermissionResult, PermissionResultAllow, PermissionResultDeny, SdkControlPermissionRequest,
    values,
};

use super::mapping::{ALREADY_OPEN, Asks, ClaudeMapping, OpenRequest};

/// The tool that asks the user questions: leave to use it is the answer.
const QUESTIONS: &str = "AskUserQuestion";

/// The program asks for leave to use a tool.
pub(super) fn asked(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    id: &str,
    request: &SdkControlPermissionRequest<'_>,
    notes: Vec<Note>,
) -> Outcome {
    let phase = PermissionPhase::CanUseTool(Box::new(PermissionPhaseCanUseTool {
        request: request.clone(),
    }));
    let place = within(place, place.body.clone(), &["request"]);
    let label = label("can_use_tool");
    let id: Arc<str> = Arc::from(id);
    if core.mapping.requests.get(&id).is_some() {
        return core.outcome(&place, &label, ALREADY_OPEN, Vec::new(), notes);
    }
    core.mapped(&place, &label, notes, |mapping, cx| {
        mapping.speak(cx, None);
        mapping.about(cx, &Arc::from(&*request.tool_use_id));
        cx.refs.request = Some(Arc::clone(&id));
        rows::map(mapping, cx, &phase);
        let asks = Asks::Permission {
            request_type: request_type(&request.tool_name),
            call: Arc::from(&*request.tool_use_id),
            questions: request.tool_name == QUESTIONS,
        };
        let open = OpenRequest {
            asks,
            refs: cx.refs.clone(),
        };
        mapping.requests.insert(id, open);
    })
}

/// The host decides. What it wrote is for the agent to judge: where it can't be read, no decision
/// is claimed.
pub(super) fn decided(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    request: OpenRequest,
) -> Outcome {
    let given = within(place, place.message.clone(), &["response", "response"]);
    let mut reader = Reader::over(place.line, given.body.clone());
    let decision = PermissionResult::read(&mut reader);
    let decision = decision
        .ok()
        .filter(|it| !matches!(it, PermissionResult::Unrecognized(_)));
    let phase =
        decision.map(|decision| PermissionPhase::Decision(PermissionPhaseDecision { decision }));
    let tag = phase.as_ref().map(rows::tag_path);
    let label = label(tag.as_deref().unwrap_or("decision"));
    core.mapped(&given, &label, Vec::new(), |mapping, cx| {
        cx.refs = request.refs.clone();
        cx.refs.session.clone_from(&mapping.session);
        cx.refs.minted = true;
        mapping.answering = Some(request);
        match &phase {
            Some(phase) => rows::map(mapping, cx, phase),
            None => {
                let resolved = mapping.resolved(cx, None);
                cx.emit_unlisted(resolved);
            }
        }
        mapping.answering = None;
    })
}

impl Mapping for ClaudeMapping {
    fn can_use_tool(
        &mut self,
        cx: &mut Cx<'_>,
        params: &PermissionPhaseCanUseTool<'_>,
        out: Out<row::CanUseTool>,
    ) {
        let request = &params.request;
        if request.tool_name == QUESTIONS {
            let questions = cx
                .raw(&["input", "questions"])
                .or_else(|| cx.raw(&["input"]));
            let questions = questions.unwrap_or_else(crate::kit::parts::null);
            out.emit(cx, UserInputRequested { questions });
        }
        let input = cx.raw(&["input"]);
        let words = input.as_ref().and_then(input_summary);
        let said = [
            &request.title,
            &request.description,
            &request.decision_reason,
        ];
        let said = said.into_iter().flatten().find_map(|text| filled(&**text));
        out.emit(
            cx,
            RequestOpened {
                request_type: request_type(&request.tool_name),
                detail: words.or(said).or_else(|| filled(&*request.tool_name)),
                args: Some(cx.body()),
            },
        );
    }

    fn decision_allow(
        &mut self,
        cx: &mut Cx<'_>,
        _: &PermissionPhaseDecision<'_>,
        decision: &PermissionResultAllow<'_>,
        out: Out<row::DecisionAllow>,
    ) {
        if let Some(Asks::Permission {
            questions: true, ..
        }) = self.answered_asks()
        {
            let answers = cx
                .raw(&["updatedInput", "answers"])
                .or_else(|| cx.raw(&["updatedInput"]));
            if let Some(answers) = answers {
                out.emit(cx, UserInputResolved { answers });
            }
        }
        let rules = decision.updated_permissions.as_ref();
        let decision = match rules.is_some_and(|rules| !rules.is_empty()) {
            true => Decision::AcceptForSession,
            false => Decision::Accept,
        };
        let resolved = self.resolved(cx, Some(decision));
        out.emit(cx, resolved);
    }

    fn decision_deny(
        &mut self,
        cx: &mut Cx<'_>,
        _: &PermissionPhaseDecision<'_>,
        _: &PermissionResultDeny<'_>,
    ) -> RequestResolved {
        self.refuse();
        self.resolved(cx, Some(Decision::Decline))
    }

    fn decision_deny_plus_interrupt(
        &mut self,
        cx: &mut Cx<'_>,
        _: &PermissionPhaseDecision<'_>,
        decision: &PermissionResultDeny<'_>,
        out: Out<row::DecisionDenyPlusInterrupt>,
    ) {
        self.refuse();
        let resolved = self.resolved(cx, Some(Decision::Cancel));
        out.emit(cx, resolved);
        let Some(scope) = self.turns.scope().filter(|_| self.turns.tell_end()) else {
            return;
        };
        self.close_turn(cx, &scope);
        cx.refs.item = None;
        cx.refs.request = None;
        set_scope(&mut cx.refs, &scope);
        out.emit(
            cx,
            TurnCompleted {
                error_message: filled(&*decision.message),
                ..TurnCompleted::new(TurnState::Interrupted)
            },
        );
    }
}

impl ClaudeMapping {
    fn answered_asks(&self) -> Option<&Asks> {
        self.answering.as_ref().map(|request| &request.asks)
    }

    /// The call that is asked about is refused.
    fn refuse(&mut self) {
        if let Some(Asks::Permission { call, .. }) = self.answered_asks().cloned() {
            self.calls.deny(&call);
        }
    }

    fn resolved(&self, cx: &Cx<'_>, decision: Option<Decision>) -> RequestResolved {
        let request_type = match self.answered_asks() {
            Some(Asks::Permission { request_type, .. }) => *request_type,
            _ => RequestType::Unknown,
        };
        RequestResolved {
            request_type,
            decision: decision.map(String::from),
            resolution: Some(cx.body()),
        }
    }
}

/// The type of a request for a tool, by the tool's name.
fn request_type(tool: &str) -> RequestType {
    values::tool_request(tool).unwrap_or(RequestType::Unknown)
}

fn label(tag: &str) -> Label<'_> {
    Label {
        source: RawSource::ClaudeSdkPermission,
        method: Some("can_use_tool"),
        message_type: Some(tag),
        wire_ms: None,
    }
}

/// The same message, with a member of a value in it as its payload.
fn within<'l>(place: &Place<'l>, mut body: Range<usize>, path: &[&str]) -> Place<'l> {
    for name in path {
        body = member(place.line, body, name).unwrap_or(place.message.end..place.message.end);
    }
    Place {
        body,
        message: place.message.clone(),
        ..*place
    }
}
