//! What a conversation remembers between lines: whose it is, its turns, and what is open in them.

use std::sync::Arc;

use crate::canonical::{ItemCompleted, ItemLifecycle, ItemStatus, ItemType};
use crate::kit::ledger::{Refs, own_name};
use crate::kit::mapping::Cx;

use super::calls::Calls;
use super::open_items::{OpenItem, OpenItems};
use super::said::Said;
use super::texts::Texts;
use super::turns::{Scope, Turns, set_scope};

/// The memory of a conversation; one for each process of the agent.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    /// The agent's id of the session.
    pub session: Option<Arc<str>>,
    /// Which turn is going on.
    pub turns: Turns,
    /// How many turns have ended.
    pub ended: u64,
    /// Calls of tools.
    pub calls: Calls,
    /// Items that are open.
    pub open: OpenItems,
    /// What the user said.
    pub said: Said,
    /// Text that is being streamed.
    pub texts: Texts,
    /// The text that goes on until something else is told, on wires whose texts have no end.
    pub(super) running: Option<(Arc<str>, ItemType)>,
    named: u64,
}

impl Talk {
    /// What the next program may go on with.
    pub fn after_exit(self) -> Self {
        Self {
            turns: self.turns.after_exit(),
            ..Self::default()
        }
    }

    /// Where the events of a message belong: to the turn of the call that started its agent, or
    /// to the turn that is going on.
    pub fn scope(&self, parent: Option<&str>) -> Option<Scope> {
        let of_agent = parent.and_then(|call| self.calls.get(call)?.scope.clone());
        of_agent.or_else(|| self.turns.scope())
    }

    /// Makes the context speak of the session, and of the turn that an agent works in.
    pub fn speak(&mut self, cx: &mut Cx<'_>, parent: Option<&str>) {
        cx.refs.session.clone_from(&self.session);
        cx.refs.thread = Some(self.turns.thread());
        if let Some(scope) = self.scope(parent) {
            set_scope(&mut cx.refs, &scope);
        }
    }

    /// Makes the context speak of an item, which stays in the turn in which it began.
    pub fn about(&self, cx: &mut Cx<'_>, item: &Arc<str>) {
        cx.refs.item = Some(Arc::clone(item));
        if let Some(scope) = self.calls.get(item).and_then(|call| call.scope.clone()) {
            set_scope(&mut cx.refs, &scope);
        }
    }

    /// Puts what an unread message names where it belongs.
    pub fn place(&self, refs: &mut Refs) {
        refs.session.clone_from(&self.session);
        refs.thread = self.turns.known_thread().cloned();
        if let Some(scope) = self.turns.scope() {
            set_scope(refs, &scope);
        }
    }

    /// A name for a text of a model whose messages have no ids.
    pub fn next_text(&mut self) -> Arc<str> {
        self.named += 1;
        own_name(&format!("text-{}", self.named))
    }

    /// The item that the context speaks of is open from now on.
    pub fn opens(&mut self, cx: &Cx<'_>, item_type: ItemType, parent: Option<&Arc<str>>) {
        let Some(item) = cx.refs.item.clone() else {
            return;
        };
        let scope = match (&cx.refs.thread, &cx.refs.turn) {
            (Some(thread), Some(turn)) => Some(Scope {
                thread: Arc::clone(thread),
                turn: Arc::clone(turn),
            }),
            _ => None,
        };
        self.open.insert(OpenItem {
            item,
            item_type,
            scope,
            parent: parent.cloned(),
        });
    }

    /// Closes what is open when its turn is over. Nothing said how it ended, so it failed, or was
    /// declined where the user refused it.
    pub fn close_turn(
        &mut self,
        cx: &mut Cx<'_>,
        scope: &Scope,
        tell: impl Fn(&mut Cx<'_>, ItemCompleted),
    ) {
        let left = self.open.take_of_turn(scope);
        self.close(cx, &left, Some(ItemStatus::Failed), tell);
        for item in self.open.of_turn(scope) {
            cx.runs_on(&scope.thread, item);
        }
    }

    /// Closes what an agent left open that ended.
    pub fn close_agent(
        &mut self,
        cx: &mut Cx<'_>,
        call: &str,
        status: Option<ItemStatus>,
        tell: impl Fn(&mut Cx<'_>, ItemCompleted),
    ) {
        let left = self.open.take_of_agent(call);
        self.close(cx, &left, status, tell);
    }

    fn close(
        &mut self,
        cx: &mut Cx<'_>,
        left: &[OpenItem],
        status: Option<ItemStatus>,
        tell: impl Fn(&mut Cx<'_>, ItemCompleted),
    ) {
        for open in left {
            let before = cx.refs.clone();
            cx.refs.item = Some(Arc::clone(&open.item));
            cx.refs.request = None;
            if let Some(scope) = &open.scope {
                set_scope(&mut cx.refs, scope);
            }
            let call = self.calls.get(&open.item);
            let denied = call.is_some_and(|call| call.denied);
            let known = call.map(|call| call.item(&open.item));
            let mut item = known.unwrap_or_else(|| ItemLifecycle::new(open.item_type));
            item.status = match denied {
                true => Some(ItemStatus::Declined),
                false => status,
            };
            if item.data.is_none() {
                item.detail = self.texts.take(&open.item);
            }
            self.calls.end(&open.item);
            tell(cx, ItemCompleted(item));
            cx.refs = before;
        }
    }
}
