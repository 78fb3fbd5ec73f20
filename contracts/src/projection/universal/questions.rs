//! Requests that wait for the user: leave that is asked for, and questions.

use std::sync::Arc;

use super::event::{
    PermissionRequested, PermissionResolved, PermissionStatus, QuestionRequested, QuestionResolved,
    QuestionStatus,
};
use crate::canonical::{
    Decision, ItemLifecycle, RequestOpened, RequestResolved, RequestType, RuntimeEvent,
};
use crate::json::OwnedJson;
use crate::kit::remembered::Remembered;
use crate::projection::opaque::{elements, first, member, member_text, shown, text, values};

/// How many open requests are remembered.
const REMEMBERED: usize = 4096;

/// The tool by which an agent asks whether its plan is right.
pub(super) const PLAN_TOOL: &str = "ExitPlanMode";

/// What is asked and not answered yet.
#[derive(Debug)]
pub(super) struct Questions {
    /// By canonical request id.
    requests: Remembered<Arc<str>, Asked>,
    /// Questions about a plan, by the id of the call.
    plans: Remembered<Arc<str>, Question>,
}

#[derive(Clone, Debug)]
enum Asked {
    Leave(String),
    Question(Question),
    /// The question stands with the call of the plan.
    Plan(Arc<str>),
}

#[derive(Clone, Debug)]
struct Question {
    id: Arc<str>,
    prompt: String,
    options: Vec<String>,
}

/// What a request became.
pub(super) enum Opened {
    Leave(PermissionRequested),
    Question(QuestionRequested),
}

/// What an answer became.
pub(super) enum Resolved {
    Leave(PermissionResolved),
    Question(QuestionResolved),
}

impl Default for Questions {
    fn default() -> Self {
        Self {
            requests: Remembered::new(REMEMBERED),
            plans: Remembered::new(REMEMBERED),
        }
    }
}

/// The id of the request; the event's own where the request has none.
fn id_of(event: &RuntimeEvent) -> Arc<str> {
    match &event.request_id {
        Some(id) => Arc::clone(id.shared()),
        None => Arc::clone(event.event_id.shared()),
    }
}

/// What kind of answer a request wants.
enum Wants {
    Leave,
    Words,
    /// The client answers by itself.
    Nothing,
}

const fn wants(request_type: RequestType) -> Wants {
    match request_type {
        RequestType::CommandExecutionApproval
        | RequestType::FileChangeApproval
        | RequestType::ApplyPatchApproval
        | RequestType::ExecCommandApproval
        | RequestType::FileReadApproval
        | RequestType::PermissionsApproval
        // Whatever it is, it waits.
        | RequestType::Unknown => Wants::Leave,
        RequestType::ToolUserInput | RequestType::McpElicitation => Wants::Words,
        RequestType::DynamicToolCall
        | RequestType::AuthTokensRefresh
        | RequestType::Attestation => Wants::Nothing,
    }
}

impl Questions {
    /// A request waits. Nothing where the client answers it by itself, or where the question that
    /// it asks is known already.
    pub fn opened(
        &mut self,
        event: &RuntimeEvent,
        call: Option<Arc<str>>,
        request: &RequestOpened,
    ) -> Option<Opened> {
        let id = id_of(event);
        let prompt = || {
            let detail = request.detail.clone().filter(|detail| !detail.is_empty());
            detail.unwrap_or_else(|| request.request_type.as_str().to_owned())
        };
        match wants(request.request_type) {
            Wants::Nothing => None,
            Wants::Words if self.requests.get(&id).is_some() => None,
            Wants::Words => {
                let question = Question {
                    id: Arc::clone(&id),
                    prompt: prompt(),
                    options: Vec::new(),
                };
                let requested = question.requested();
                self.requests.insert(id, Asked::Question(question));
                Some(Opened::Question(requested))
            }
            Wants::Leave if is_plan(request) => {
                if let Some(call) = call.filter(|call| self.plans.get(call).is_some()) {
                    self.requests.insert(id, Asked::Plan(call));
                    return None;
                }
                let input = request
                    .args
                    .as_ref()
                    .and_then(|args| first(args, &["input"]));
                let plan = input.and_then(|input| member_text(input, "plan"));
                let question = Question::of_plan(Arc::clone(&id), plan.unwrap_or_else(prompt));
                let requested = question.requested();
                self.requests.insert(id, Asked::Question(question));
                Some(Opened::Question(requested))
            }
            Wants::Leave => {
                let action = prompt();
                self.requests
                    .insert(Arc::clone(&id), Asked::Leave(action.clone()));
                Some(Opened::Leave(PermissionRequested {
                    permission_id: id,
                    action,
                    status: PermissionStatus::Requested,
                    metadata: request.args.clone(),
                }))
            }
        }
    }

    /// A request was answered. Nothing where nothing was asked, or the answer is known already.
    pub fn resolved(
        &mut self,
        event: &RuntimeEvent,
        request: &RequestResolved,
    ) -> Option<Resolved> {
        let id = id_of(event);
        let approved = is_approval(request.decision.as_deref());
        let asked = match self.requests.remove(&id) {
            Some(asked) => asked,
            None => match wants(request.request_type) {
                Wants::Leave => Asked::Leave(request.request_type.as_str().to_owned()),
                Wants::Words | Wants::Nothing => return None,
            },
        };
        let question = match asked {
            Asked::Leave(action) => {
                return Some(Resolved::Leave(PermissionResolved {
                    permission_id: id,
                    action,
                    status: if approved {
                        PermissionStatus::Approved
                    } else {
                        PermissionStatus::Denied
                    },
                    metadata: request.resolution.clone(),
                }));
            }
            Asked::Question(question) => question,
            Asked::Plan(call) => self.plans.remove(&call)?,
        };
        let response = request
            .decision
            .clone()
            .or_else(|| request.resolution.as_ref().map(|it| it.as_str().to_owned()));
        Some(Resolved::Question(question.resolved(approved, response)))
    }

    /// The user is asked.
    pub fn asked(&mut self, event: &RuntimeEvent, questions: &OwnedJson) -> QuestionRequested {
        let id = id_of(event);
        let (prompt, options) = words(questions);
        let question = Question {
            id: Arc::clone(&id),
            prompt,
            options,
        };
        let requested = question.requested();
        self.requests.insert(id, Asked::Question(question));
        requested
    }

    /// The user has answered. Nothing where nothing was asked, or the answer is known already.
    pub fn answered(
        &mut self,
        event: &RuntimeEvent,
        answers: &OwnedJson,
    ) -> Option<QuestionResolved> {
        let id = id_of(event);
        let Some(Asked::Question(_)) = self.requests.get(&id) else {
            return None;
        };
        let Some(Asked::Question(question)) = self.requests.remove(&id) else {
            return None;
        };
        let (given, response) = answer(answers);
        Some(question.resolved(given, Some(response)))
    }

    /// A plan is shown, and the user is asked whether it is right.
    pub fn plan_shown(&mut self, call: Arc<str>, item: &ItemLifecycle) -> QuestionRequested {
        let data = item.data.as_ref();
        let input = data.and_then(|data| first(data, &["input", "arguments", "rawInput"]));
        let prompt = input
            .and_then(|input| member_text(input, "plan"))
            .or_else(|| item.detail.clone())
            .unwrap_or_else(|| PLAN_TOOL.to_owned());
        let question = Question::of_plan(Arc::clone(&call), prompt);
        let requested = question.requested();
        self.plans.insert(call, question);
        requested
    }

    /// The call that showed a plan ended: its result is the answer.
    pub fn plan_ended(
        &mut self,
        call: &Arc<str>,
        approved: bool,
        response: Option<String>,
    ) -> Option<QuestionResolved> {
        let question = self.plans.remove(call)?;
        Some(question.resolved(approved, response))
    }
}

impl Question {
    fn of_plan(id: Arc<str>, prompt: String) -> Self {
        Self {
            id,
            prompt,
            options: vec![String::from("approve"), String::from("reject")],
        }
    }

    fn requested(&self) -> QuestionRequested {
        QuestionRequested {
            question_id: Arc::clone(&self.id),
            prompt: self.prompt.clone(),
            options: self.options.clone(),
            status: QuestionStatus::Requested,
        }
    }

    fn resolved(self, answered: bool, response: Option<String>) -> QuestionResolved {
        QuestionResolved {
            question_id: self.id,
            prompt: self.prompt,
            options: self.options,
            response,
            status: if answered {
                QuestionStatus::Answered
            } else {
                QuestionStatus::Rejected
            },
        }
    }
}

/// Whether a decision says yes. A word that nobody knows does not.
fn is_approval(decision: Option<&str>) -> bool {
    match decision.and_then(Decision::from_wire) {
        Some(Decision::Accept | Decision::AcceptForSession | Decision::AcceptWithAmendment) => true,
        Some(Decision::Decline | Decision::Cancel | Decision::TimedOut) | None => false,
    }
}

fn is_plan(request: &RequestOpened) -> bool {
    let args = request.args.as_ref();
    let named = args.and_then(|args| first(args, &["tool_name", "toolName"]));
    named.and_then(text).is_some_and(|name| name == PLAN_TOOL)
}

/// The words of a list of questions, one a line, and the labels of their options.
fn words(questions: &OwnedJson) -> (String, Vec<String>) {
    let listed = elements(questions.as_str());
    if listed.is_empty() {
        return (questions.as_str().to_owned(), Vec::new());
    }
    let mut prompts = Vec::new();
    let mut options = Vec::new();
    for question in &listed {
        let asked = ["question", "prompt", "message", "header"]
            .iter()
            .find_map(|name| member_text(question, name));
        prompts.push(asked.unwrap_or_else(|| (*question).to_owned()));
        let labels = member(question, "options").map(elements);
        options.extend(
            labels
                .unwrap_or_default()
                .into_iter()
                .map(|option| member_text(option, "label").unwrap_or_else(|| shown(option))),
        );
    }
    (prompts.join("\n"), options)
}

/// The answer as a text, and whether there is one.
fn answer(answers: &OwnedJson) -> (bool, String) {
    let whole = answers.as_str();
    let given = !matches!(whole, "null" | "{}" | "[]" | "\"\"");
    let mut texts = Vec::new();
    collect(whole, 0, &mut texts);
    if texts.is_empty() {
        (given, whole.to_owned())
    } else {
        (given, texts.join("\n"))
    }
}

/// The texts of an answer, at whatever depth its form puts them; what lies deeper stays JSON.
fn collect(json: &str, depth: usize, texts: &mut Vec<String>) {
    const DEPTH: usize = 4;
    if let Some(text) = text(json) {
        texts.push(text);
    } else if depth < DEPTH {
        for element in elements(json).into_iter().chain(values(json)) {
            collect(element, depth + 1, texts);
        }
    }
}
