//! The end of a session that the agent does not tell, and what is forgotten.

use std::sync::Arc;

use super::closing::cut;
use super::draft::is_own;
use super::turns::ended;
use super::{Draft, Ledger, Phase, Refs, Rule, Source, Told};
use crate::canonical::{RuntimeEvent, SessionExited, TaskStatus, TurnCompleted, TurnState};
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
        let mut drafts = self.everything(&exit);
        if !self.exited {
            drafts.push(Draft {
                refs: Refs::default(),
                payload: exit.into(),
            });
        }
        let events = self.close(drafts, Rule::Exit);
        self.begin_anew();
        events
    }

    /// Forgets a thread, by the provider's id of it: for hosts that live long. What is open in it
    /// ends as if the thread was closed; what is told of it afterwards is of a thread that is new.
    pub fn forget_thread(&mut self, thread: &str) -> Vec<RuntimeEvent> {
        let scope: Arc<str> = Arc::from(thread);
        let events = self.close(self.of_thread(&scope), Rule::ThreadCloses);
        self.threads
            .forget(&(Arc::clone(&self.nowhere), Arc::clone(&scope)));
        self.turns.forget_scope(thread);
        self.items.forget_scope(thread);
        self.requests.forget_such(|request| request.is_of(thread));
        self.work.forget_such(|work| work.is_of(thread));
        events
    }

    fn close(&mut self, drafts: Vec<Draft>, rule: Rule) -> Vec<RuntimeEvent> {
        let mut told = Told::default();
        let source = Source {
            raw: None,
            at: self.clock.now(None),
        };
        for draft in drafts {
            self.take(draft, Some(rule), source, &mut told);
        }
        told.events
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

    /// Forgets what is too much: what ended first, the longest ago before the others. Where more is
    /// open than that, the oldest ends.
    pub(super) fn forget_excess(&mut self, source: Source<'_>, told: &mut Told) {
        while let Some((key, _)) = self.threads.excess() {
            self.threads.forget(&key);
        }
        while let Some((key, turn)) = self.turns.excess() {
            let (scope, name) = &key;
            let end = TurnCompleted::new(TurnState::Interrupted);
            let end = (turn.phase == Phase::Started).then(|| ended(scope, name, end));
            self.end_excess(end, source, told);
            self.turns.forget(&key);
        }
        while let Some((key, item)) = self.items.excess() {
            let end = (item.phase == Phase::Started).then(|| cut(&key.1, item, false));
            self.end_excess(end, source, told);
            self.items.forget(&key);
        }
        while let Some((key, request)) = self.requests.excess() {
            let ends: Vec<Draft> = request.cancelled().map(|(_, draft)| draft).collect();
            self.end_excess(ends, source, told);
            self.requests.forget(&key);
        }
        while let Some((key, work)) = self.work.excess() {
            let end = work
                .is_open()
                .then(|| work.ended(&key.1, TaskStatus::Stopped));
            self.end_excess(end, source, told);
            self.work.forget(&key);
        }
    }

    fn end_excess(
        &mut self,
        ends: impl IntoIterator<Item = Draft>,
        source: Source<'_>,
        told: &mut Told,
    ) {
        for end in ends {
            self.take(end, Some(Rule::Forgotten), source, told);
        }
    }
}
