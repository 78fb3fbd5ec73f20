//! The lives of requests and of questions, which are two even under one id.

use super::items::stub;
use super::{Before, Draft, Ledger, Phase, Refs, Rule};
use crate::canonical::{
    Decision, EventPayload, ItemType, RequestResolved, RequestType, RuntimeRequestId,
    UserInputResolved,
};
use crate::json::OwnedJson;
use crate::kit::sources::{Clock, IdKind, IdSource};

#[derive(Debug)]
pub(super) struct Request {
    id: RuntimeRequestId,
    request: Slot,
    question: Slot,
}

#[derive(Debug, Default)]
struct Slot {
    /// What it asks and what it is about, while it waits.
    waits: Option<Waits>,
    answered: bool,
}

#[derive(Clone, Debug)]
struct Waits {
    asked: Asked,
    refs: Refs,
}

/// What waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Request(RequestType),
    Question,
}

impl Request {
    fn slot(&self, asked: Asked) -> &Slot {
        match asked {
            Asked::Request(_) => &self.request,
            Asked::Question => &self.question,
        }
    }

    fn slot_mut(&mut self, asked: Asked) -> &mut Slot {
        match asked {
            Asked::Request(_) => &mut self.request,
            Asked::Question => &mut self.question,
        }
    }

    /// Whether it waits in a thread.
    pub fn is_of(&self, thread: &str) -> bool {
        let waits = [&self.request.waits, &self.question.waits];
        let mut threads = waits.into_iter().flatten().map(|waits| &waits.refs.thread);
        threads.any(|known| known.as_deref() == Some(thread))
    }

    fn is_open(&self) -> bool {
        self.request.waits.is_some() || self.question.waits.is_some()
    }

    /// The ends of what waits here, where nobody answered: of requests, and of questions.
    pub fn cancelled(&self) -> impl Iterator<Item = (Asked, Draft)> + use<> {
        let waits = [&self.request, &self.question].map(|slot| slot.waits.clone());
        waits
            .into_iter()
            .flatten()
            .map(|waits| (waits.asked, waits.cancelled()))
    }
}

impl Waits {
    fn cancelled(self) -> Draft {
        Draft {
            refs: Refs {
                minted: false,
                ..self.refs
            },
            payload: match self.asked {
                Asked::Request(request_type) => RequestResolved {
                    request_type,
                    decision: Some(Decision::Cancel.into()),
                    resolution: None,
                }
                .into(),
                Asked::Question => UserInputResolved {
                    answers: OwnedJson::from_value(&serde_json::Value::Null),
                }
                .into(),
            },
        }
    }

    /// Whether another one asks the same about the same.
    fn is_same(&self, asked: Asked, refs: &Refs) -> bool {
        let ours = [&self.refs.thread, &self.refs.turn, &self.refs.item];
        let theirs = [&refs.thread, &refs.turn, &refs.item];
        let mut both = ours.into_iter().zip(theirs);
        self.asked == asked
            && both.all(|(ours, theirs)| ours.is_none() || theirs.is_none() || ours == theirs)
    }
}

impl<I: IdSource, C: Clock> Ledger<I, C> {
    pub(super) fn request_id(
        &mut self,
        refs: &Refs,
        payload: &EventPayload,
    ) -> Option<RuntimeRequestId> {
        let name = refs.request.as_ref()?;
        let known = self.requests.get(&self.nowhere, name);
        // An id may be used again once its request is answered, and then names another one.
        let is_new = match (known, asks(payload)) {
            (None, _) => true,
            (Some(known), Some(asked)) => known.slot(asked).answered,
            (Some(_), None) => false,
        };
        if is_new && refs.minted {
            let request = Request {
                id: self.ids.next(IdKind::Request).into(),
                request: Slot::default(),
                question: Slot::default(),
            };
            self.requests.insert(&self.nowhere, name, request);
        }
        Some(self.requests.get(&self.nowhere, name)?.id.clone())
    }

    /// The ends of what waits under an id that asks for something else now.
    pub(super) fn asked_anew(&self, refs: &Refs, payload: &EventPayload) -> Vec<Draft> {
        let (Some(asked), Some(name)) = (asks(payload), &refs.request) else {
            return Vec::new();
        };
        let Some(known) = self.requests.get(&self.nowhere, name) else {
            return Vec::new();
        };
        let slot = known.slot(asked);
        let waits = slot.waits.as_ref();
        let differs = waits.is_some_and(|waits| !waits.is_same(asked, refs));
        if !refs.minted || !(differs || slot.answered) {
            return Vec::new();
        }
        known.cancelled().map(|(_, draft)| draft).collect()
    }

    /// An answer as the kind of event that was asked, where only the other kind waits.
    pub(super) fn as_asked(&self, refs: &Refs, payload: EventPayload) -> (EventPayload, bool) {
        let name = refs.request.as_ref();
        let known = name.and_then(|name| self.requests.get(&self.nowhere, name));
        let (Some(answered), Some(known)) = (answers(&payload), known) else {
            return (payload, false);
        };
        if known.slot(answered).waits.is_some() || known.slot(answered).answered {
            return (payload, false);
        }
        if let EventPayload::UserInputResolved(answer) = &payload
            && let Some(waits) = &known.request.waits
            && let Asked::Request(request_type) = waits.asked
        {
            let resolved = RequestResolved {
                request_type,
                decision: None,
                resolution: Some(answer.answers.clone()),
            };
            return (resolved.into(), true);
        }
        if let EventPayload::RequestResolved(answer) = &payload
            && known.question.waits.is_some()
        {
            let nothing = || OwnedJson::from_value(&serde_json::Value::Null);
            let answers = answer.resolution.clone().unwrap_or_else(nothing);
            return (UserInputResolved { answers }.into(), true);
        }
        (payload, false)
    }

    /// What comes before a request or its answer.
    pub(super) fn first_of_request(
        &self,
        refs: &Refs,
        payload: &EventPayload,
    ) -> Result<Before, Rule> {
        let name = refs.request.as_ref();
        let known = name.and_then(|name| self.requests.get(&self.nowhere, name));
        if let Some(answered) = answers(payload)
            && name.is_some()
        {
            let slot = known.map(|known| known.slot(answered));
            return match slot {
                Some(slot) if slot.waits.is_some() => Ok(Before::new()),
                Some(slot) if slot.answered => Err(Rule::AfterTheEnd),
                Some(_) | None => Err(Rule::NeverOpened),
            };
        }
        let Some(asked) = asks(payload) else {
            return Ok(Before::new());
        };
        if let Some(known) = known {
            let slot = known.slot(asked);
            if slot.waits.is_some() {
                return Err(Rule::Twice);
            }
            if slot.answered {
                return Err(Rule::AfterTheEnd);
            }
        }
        let item = refs.item.as_ref();
        let item = item.and_then(|item| self.items.get(self.scope(refs), item));
        let is_new = item.is_some_and(|item| item.phase == Phase::Mentioned);
        Ok(match is_new {
            true => {
                let refs = Refs {
                    request: None,
                    ..refs.clone()
                };
                let payload = stub(about(asked)).into();
                vec![(Draft { refs, payload }, Rule::Stub)]
            }
            false => Before::new(),
        })
    }

    pub(super) fn move_request(&mut self, refs: &Refs, payload: &EventPayload) {
        let Some(name) = &refs.request else {
            return;
        };
        let group = self.group(refs);
        let Some(request) = self.requests.get_mut(&self.nowhere, name) else {
            return;
        };
        if let Some(asked) = asks(payload) {
            request.slot_mut(asked).waits = Some(Waits {
                asked,
                refs: refs.clone(),
            });
            self.requests.group(&self.nowhere, name, group, refs.len());
        } else if let Some(answered) = answers(payload) {
            let slot = request.slot_mut(answered);
            slot.waits = None;
            slot.answered = true;
            if !request.is_open() {
                self.requests.end(&self.nowhere, name);
            }
        }
    }
}

/// What an event asks for, if it waits for an answer.
fn asks(payload: &EventPayload) -> Option<Asked> {
    if let EventPayload::RequestOpened(request) = payload {
        return Some(Asked::Request(request.request_type));
    }
    if let EventPayload::UserInputRequested(_) = payload {
        return Some(Asked::Question);
    }
    None
}

/// What an event answers.
fn answers(payload: &EventPayload) -> Option<Asked> {
    if let EventPayload::RequestResolved(request) = payload {
        return Some(Asked::Request(request.request_type));
    }
    if let EventPayload::UserInputResolved(_) = payload {
        return Some(Asked::Question);
    }
    None
}

/// What an item is that a request names before anything else does.
fn about(asked: Asked) -> ItemType {
    match asked {
        Asked::Request(
            RequestType::CommandExecutionApproval | RequestType::ExecCommandApproval,
        ) => ItemType::CommandExecution,
        Asked::Request(RequestType::FileChangeApproval | RequestType::ApplyPatchApproval) => {
            ItemType::FileChange
        }
        Asked::Request(RequestType::DynamicToolCall) => ItemType::DynamicToolCall,
        Asked::Request(RequestType::McpElicitation) => ItemType::McpToolCall,
        Asked::Question
        | Asked::Request(
            RequestType::ToolUserInput
            | RequestType::FileReadApproval
            | RequestType::PermissionsApproval
            | RequestType::AuthTokensRefresh
            | RequestType::Attestation
            | RequestType::Unknown,
        ) => ItemType::Unknown,
    }
}
