//! The end of a session that the agent does not tell, because its program is gone.

use std::sync::Arc;

use super::draft::is_own;
use super::{Asked, Draft, Ledger, Phase, Refs, Request};
use crate::canonical::{
    Decision, EventPayload, ExitKind, ItemCompleted, ItemLifecycle, ItemStatus, RequestResolved,
    RuntimeEvent, SessionExited, TurnCompleted, TurnState, UserInputResolved,
};
use crate::json::OwnedJson;
use crate::kit::sources::{Clock, IdSource};

impl<I: IdSource, C: Clock> Ledger<I, C> {
    /// The events of a program that is gone: what is open ends, the oldest first, and then the
    /// session does, unless its end was told already. They have no raw message.
    ///
    /// Requests are cancelled, and questions answered with `null`. Items have failed; turns and
    /// tasks have failed, too, and are interrupted or stopped where the program ended as it was
    /// asked to. Hooks are cancelled.
    ///
    /// What comes after this is of another program: it may go on with threads that the provider
    /// names, and its turns, items and requests are others, whatever their names are.
    pub fn exit(&mut self, exit: SessionExited) -> Vec<RuntimeEvent> {
        let mut drafts = self.open_requests();
        drafts.extend(self.open_items());
        drafts.extend(self.open_work(&exit));
        drafts.extend(self.open_turns(&exit));
        if !self.exited {
            drafts.push(Draft {
                refs: Refs::default(),
                payload: exit.into(),
            });
        }
        let mut events = Vec::with_capacity(drafts.len());
        for draft in drafts {
            self.take(draft, None, None, &mut events);
        }
        self.begin_anew();
        events
    }

    /// Forgets what belongs to one program: many number their turns and items from one.
    fn begin_anew(&mut self) {
        self.threads.forget_named(&self.nowhere, is_own);
        self.turns.clear();
        self.items.clear();
        self.requests.clear();
        self.work.clear();
        self.exited = true;
        self.gone = true;
    }

    fn open_requests(&self) -> Vec<Draft> {
        let waiting = |request: &Request| {
            let (asked, refs) = request.asked.clone()?;
            let payload = match asked {
                Asked::Request(request_type) => RequestResolved {
                    request_type,
                    decision: Some(Decision::Cancel.into()),
                    resolution: None,
                }
                .into(),
                Asked::UserInput => UserInputResolved {
                    answers: OwnedJson::from_value(&serde_json::Value::Null),
                }
                .into(),
            };
            Some(Draft { refs, payload })
        };
        let open = self.requests.open();
        open.filter_map(|(.., request)| waiting(request)).collect()
    }

    fn open_items(&self) -> Vec<Draft> {
        let started = self
            .items
            .open()
            .filter(|(.., item)| item.phase == Phase::Started);
        started
            .map(|(scope, name, item)| Draft {
                refs: Refs {
                    turn: item.turn.clone(),
                    item: Some(Arc::clone(name)),
                    ..of_thread(scope)
                },
                payload: ItemCompleted(ItemLifecycle {
                    status: Some(ItemStatus::Failed),
                    ..ItemLifecycle::new(item.item_type)
                })
                .into(),
            })
            .collect()
    }

    fn open_turns(&self, exit: &SessionExited) -> Vec<Draft> {
        let state = match exit.exit_kind {
            Some(ExitKind::Graceful) => TurnState::Interrupted,
            Some(ExitKind::Error) | None => TurnState::Failed,
        };
        let reason = exit
            .reason
            .as_deref()
            .unwrap_or("the agent's program ended");
        let started = self
            .turns
            .open()
            .filter(|(.., turn)| turn.phase == Phase::Started);
        started
            .map(|(scope, name, _)| Draft {
                refs: Refs {
                    turn: Some(Arc::clone(name)),
                    ..of_thread(scope)
                },
                payload: EventPayload::from(TurnCompleted {
                    error_message: Some(reason.to_owned()),
                    ..TurnCompleted::new(state)
                }),
            })
            .collect()
    }
}

/// The ids of what stands in a scope: only known ones are told.
fn of_thread(scope: &Arc<str>) -> Refs {
    Refs {
        thread: Some(Arc::clone(scope)),
        ..Refs::default()
    }
}
