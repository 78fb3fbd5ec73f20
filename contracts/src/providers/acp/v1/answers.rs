//! The client's answers to requests of an agent, version 1: what each decides.

use crate::canonical::Decision;
use crate::providers::acp::wire::v1::{
    ClientAnswer, CursorAskQuestionOutcome, CursorCreatePlanOutcome,
    RequestPermissionOutcome,
};

use crate::providers::acp::parts::{One, Parts};
use crate::providers::acp::requests::Asks;

/// The requests whose answer says what a person entered, and the path to that in the result.
pub(in crate::providers::acp) const USER_INPUT: &[(&str, &[&str])] = &[
    ("cursor/ask_question", &["outcome", "answers"]),
    ("elicitation/create", &["content"]),
];

/// What the client's result decides, where it decides anything that we could name.
pub(in crate::providers::acp) fn decision(answer: &ClientAnswer<'_>, asks: &Asks) -> Option<Decision> {
    match answer {
        ClientAnswer::SessionRequestPermission(result) => match &result.outcome {
            RequestPermissionOutcome::Selected(selected) => {
                asks.decision(selected.option_id.as_str())
            }
            RequestPermissionOutcome::Cancelled => Some(Decision::Cancel),
            RequestPermissionOutcome::Unrecognized(_) => None,
        },
        ClientAnswer::ElicitationCreate(result) => One::reply(&result.kind),
        ClientAnswer::CursorAskQuestion(result) => match &result.outcome {
            CursorAskQuestionOutcome::Answered(_) => Some(Decision::Accept),
            CursorAskQuestionOutcome::Skipped(_) => Some(Decision::Decline),
            CursorAskQuestionOutcome::Cancelled => Some(Decision::Cancel),
            CursorAskQuestionOutcome::Unrecognized(_) => None,
        },
        ClientAnswer::CursorCreatePlan(result) => match &result.outcome {
            CursorCreatePlanOutcome::Accepted(_) => Some(Decision::Accept),
            CursorCreatePlanOutcome::Rejected(_) => Some(Decision::Decline),
            CursorCreatePlanOutcome::Cancelled => Some(Decision::Cancel),
            CursorCreatePlanOutcome::Unrecognized(_) => None,
        },
        // The host did what was asked, which it need not.
        ClientAnswer::FsReadTextFile(_)
        | ClientAnswer::FsWriteTextFile(_)
        | ClientAnswer::TerminalCreate(_) => Some(Decision::Accept),
        // These are answers, and no decisions.
        ClientAnswer::CursorGenerateImage(_)
        | ClientAnswer::CursorTask(_)
        | ClientAnswer::CursorUpdateTodos(_)
        | ClientAnswer::McpMessage(_)
        | ClientAnswer::TerminalKill(_)
        | ClientAnswer::TerminalOutput(_)
        | ClientAnswer::TerminalRelease(_)
        | ClientAnswer::TerminalWaitForExit(_)
        | ClientAnswer::Unrecognized(_) => None,
    }
}

/// What an answer decides that cannot be read. Cursor takes it for cancelled; what other requests
/// make of it only their agent knows.
pub(in crate::providers::acp) fn unreadable(method: &str) -> Option<Decision> {
    let cancelled = matches!(method, "cursor/ask_question" | "cursor/create_plan");
    cancelled.then_some(Decision::Cancel)
}
