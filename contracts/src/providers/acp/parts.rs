//! The parts of which both generations make their messages, each of its own types: one piece of code
//! reads them.

use std::sync::Arc;

use crate::canonical::{Decision, PlanStep, PlanStepStatus, TurnPlanUpdated};
use crate::generated::{acp_v1, acp_v2};
use crate::kit::envelope::RequestId;
use crate::kit::parts::filled;

use super::requests::{Asks, Way};

/// Version 1: the reply to a prompt ends its turn.
pub(super) struct One;

/// Version 2: the state of the session ends a turn.
pub(super) struct Two;

/// The types of one generation, and what each of their values says.
pub(super) trait Parts {
    /// A block of content.
    type Block<'a>;
    /// What a tool produced.
    type Produced<'a>;
    /// An entry of a plan.
    type Entry<'a>;
    /// An account of an agent.
    type Account<'a>;
    /// An option of a request for permission.
    type Offer<'a>;
    /// How a question is put.
    type Question<'a>;
    /// The answer to a question.
    type Reply<'a>;
    /// The id of a request, as a member.
    type Id<'a>;
    /// How bad something is.
    type Severity;

    /// The text of a block, where it is one.
    fn text<'m>(block: &'m Self::Block<'_>) -> Option<&'m str>;

    /// The text of what a tool produced, where it is one.
    fn produced<'m>(produced: &'m Self::Produced<'_>) -> Option<&'m str>;

    /// A step of a plan. One whose status cannot be read is not done.
    fn step(entry: &Self::Entry<'_>) -> PlanStep;

    /// What people call an account.
    fn label<'m>(account: &'m Self::Account<'_>) -> &'m str;

    /// The id of an option, and what it decides.
    fn offer(option: &Self::Offer<'_>) -> (Box<str>, Option<Decision>);

    /// How a question is put to a person.
    fn way<'m>(question: &'m Self::Question<'_>) -> Way<'m>;

    /// What the answer to a question decides.
    fn reply(reply: &Self::Reply<'_>) -> Option<Decision>;

    /// The id that a member holds.
    fn id(id: &Self::Id<'_>) -> RequestId;

    /// Whether it is an error.
    fn is_error(severity: &Self::Severity) -> bool;
}

macro_rules! parts {
    ($generation:ident, $wire:ident) => {
        impl Parts for $generation {
            type Block<'a> = $wire::ContentBlock<'a>;
            type Produced<'a> = $wire::ToolCallContent<'a>;
            type Entry<'a> = $wire::PlanEntry<'a>;
            type Account<'a> = $wire::AuthAccount<'a>;
            type Offer<'a> = $wire::PermissionOption<'a>;
            type Question<'a> = $wire::CreateElicitationRequestKind<'a>;
            type Reply<'a> = $wire::CreateElicitationResponseKind<'a>;
            type Id<'a> = $wire::RequestId<'a>;
            type Severity = $wire::NoticeSeverity;

            fn text<'m>(block: &'m Self::Block<'_>) -> Option<&'m str> {
                match block {
                    $wire::ContentBlock::Text(content) => Some(&content.text),
                    $wire::ContentBlock::Audio(_)
                    | $wire::ContentBlock::Image(_)
                    | $wire::ContentBlock::Resource(_)
                    | $wire::ContentBlock::ResourceLink(_)
                    | $wire::ContentBlock::Unrecognized(_) => None,
                }
            }

            fn produced<'m>(produced: &'m Self::Produced<'_>) -> Option<&'m str> {
                match produced {
                    $wire::ToolCallContent::Content(content) => Self::text(&content.content),
                    $wire::ToolCallContent::Diff(_)
                    | $wire::ToolCallContent::Terminal(_)
                    | $wire::ToolCallContent::Unrecognized(_) => None,
                }
            }

            fn step(entry: &Self::Entry<'_>) -> PlanStep {
                let status = $wire::values::plan_entry_status(&entry.status);
                PlanStep {
                    step: entry.content.to_string(),
                    status: status.unwrap_or(PlanStepStatus::Pending),
                }
            }

            fn label<'m>(account: &'m Self::Account<'_>) -> &'m str {
                &account.label
            }

            fn offer(option: &Self::Offer<'_>) -> (Box<str>, Option<Decision>) {
                let decision = $wire::values::permission_option_kind(&option.kind);
                (Box::from(option.option_id.as_str()), decision)
            }

            fn way<'m>(question: &'m Self::Question<'_>) -> Way<'m> {
                match question {
                    $wire::CreateElicitationRequestKind::Form(_) => Way::Form,
                    $wire::CreateElicitationRequestKind::Url(link) => {
                        Way::Link(link.elicitation_id.as_str(), &link.url)
                    }
                    $wire::CreateElicitationRequestKind::Unrecognized(_) => Way::Other,
                }
            }

            fn reply(reply: &Self::Reply<'_>) -> Option<Decision> {
                match reply {
                    $wire::CreateElicitationResponseKind::Accept(_) => Some(Decision::Accept),
                    $wire::CreateElicitationResponseKind::Decline => Some(Decision::Decline),
                    $wire::CreateElicitationResponseKind::Cancel => Some(Decision::Cancel),
                    $wire::CreateElicitationResponseKind::Unrecognized(_) => None,
                }
            }

            fn id(id: &Self::Id<'_>) -> RequestId {
                match id {
                    $wire::RequestId::Number(number) => RequestId::Integer(*number),
                    $wire::RequestId::Text(text) => RequestId::Text(Arc::from(&**text)),
                    $wire::RequestId::Unrecognized(other) => {
                        RequestId::Other(Arc::from(other.raw.as_str()))
                    }
                }
            }

            fn is_error(severity: &Self::Severity) -> bool {
                match severity {
                    $wire::NoticeSeverity::Error => true,
                    $wire::NoticeSeverity::Info
                    | $wire::NoticeSeverity::Warning
                    | $wire::NoticeSeverity::Unrecognized(_) => false,
                }
            }
        }
    };
}

parts!(One, acp_v1);
parts!(Two, acp_v2);

/// The text blocks as one text.
pub(super) fn joined<G: Parts>(blocks: &[G::Block<'_>]) -> Option<String> {
    let texts: Vec<&str> = blocks.iter().filter_map(G::text).collect();
    filled(texts.join("\n"))
}

/// The text of all that a tool produced.
pub(super) fn shown<G: Parts>(produced: &[G::Produced<'_>]) -> Option<String> {
    let texts: Vec<&str> = produced.iter().filter_map(G::produced).collect();
    filled(texts.join("\n"))
}

/// A plan of these steps.
pub(super) fn plan<G: Parts>(entries: &[G::Entry<'_>]) -> TurnPlanUpdated {
    TurnPlanUpdated {
        explanation: None,
        plan: entries.iter().map(G::step).collect(),
    }
}

/// What a request for permission asks.
pub(super) fn asks<G: Parts>(
    request_type: crate::canonical::RequestType,
    options: &[G::Offer<'_>],
) -> Asks {
    Asks {
        request_type,
        options: options.iter().map(G::offer).collect(),
    }
}

/// What people call the accounts of an agent.
pub(super) fn labels<'m, G: Parts>(
    accounts: Option<&'m [G::Account<'_>]>,
) -> impl Iterator<Item = &'m str> {
    accounts.unwrap_or_default().iter().map(G::label)
}
