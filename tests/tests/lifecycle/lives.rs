//! What holds for the lives of things in any session, whatever the agent sent: told once, ended
//! once, and nothing open after what it belongs to.

use std::collections::{BTreeMap, BTreeSet};

use agentwire::canonical::{EventPayload, ItemType, RuntimeEvent, ThreadState, TurnState};

/// What of a provider's table the rules need.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The provider.
    pub provider: &'static str,
    /// Commands outlive a turn that completed.
    pub commands_stay: bool,
    /// What runs in the background outlives its turn.
    pub background_stays: bool,
}

#[derive(Clone, Debug)]
struct Life {
    turn: Option<String>,
    runs_on: bool,
    command: bool,
    ended: bool,
}

/// The lives so far, by kind and name.
#[derive(Default)]
pub struct Lives {
    lives: BTreeMap<(&'static str, String), Life>,
    over: BTreeSet<String>,
    /// What is broken.
    pub breaches: Vec<String>,
}

impl Lives {
    /// Takes the next event.
    pub fn take(&mut self, table: Table, event: &RuntimeEvent) {
        let turn = event.turn_id.as_ref().map(ToString::to_string);
        let item = event.item_id.as_ref().map(ToString::to_string);
        let request = event.request_id.as_ref().map(ToString::to_string);
        let payload = &event.payload;
        if let (EventPayload::TurnStarted(_), Some(turn)) = (payload, &turn) {
            self.start(event, "turn", turn, None, false, false);
        } else if let (Some(state), Some(turn)) = (end_of_turn(payload), &turn) {
            self.end(event, "turn", turn);
            self.nothing_open(table, event, turn, state);
            self.over.insert(turn.clone());
        } else if let (EventPayload::ItemStarted(start), Some(item)) = (payload, &item) {
            let command = start.0.item_type == ItemType::CommandExecution;
            let runs_on = runs_on(table, event, command);
            self.start(event, "item", item, turn, runs_on, command);
        } else if let (EventPayload::ItemUpdated(update), Some(item)) = (payload, &item) {
            let command = update.0.item_type == ItemType::CommandExecution;
            if let Some(life) = self.lives.get_mut(&("item", item.clone())) {
                life.command |= command;
                life.runs_on |= runs_on(table, event, false);
            }
        } else if let (EventPayload::ContentDelta(_), Some(item)) = (payload, &item) {
            let life = self.lives.get(&("item", item.clone()));
            if life.is_none_or(|life| life.ended) {
                self.breach(event, "content of an item that is not open");
            }
        } else if let (EventPayload::ItemCompleted(_), Some(item)) = (payload, &item) {
            self.end(event, "item", item);
        } else if let (EventPayload::RequestOpened(_), Some(request)) = (payload, &request) {
            self.start(event, "request", request, turn, false, false);
        } else if let (EventPayload::RequestResolved(_), Some(request)) = (payload, &request) {
            self.end(event, "request", request);
        } else if let (EventPayload::UserInputRequested(_), Some(request)) = (payload, &request) {
            self.start(event, "question", request, turn, false, false);
        } else if let (EventPayload::UserInputResolved(_), Some(request)) = (payload, &request) {
            self.end(event, "question", request);
        } else if let EventPayload::TaskStarted(task) = payload {
            self.start(event, "task", task.task_id.as_str(), turn, true, false);
        } else if let EventPayload::TaskCompleted(task) = payload {
            self.end(event, "task", task.task_id.as_str());
        } else if let EventPayload::HookStarted(hook) = payload {
            self.start(event, "hook", &hook.hook_id, turn, false, false);
        } else if let EventPayload::HookCompleted(hook) = payload {
            self.end(event, "hook", &hook.hook_id);
        }
        if let EventPayload::ThreadStateChanged(change) = payload
            && change.state == ThreadState::Closed
        {
            // Its items may have the ids of others from now on.
            self.over
                .extend(event.thread_id.iter().map(ToString::to_string));
        }
    }

    /// The session is over: nothing is open.
    pub fn close(&mut self) {
        for ((kind, name), life) in &self.lives {
            if !life.ended {
                self.breaches
                    .push(format!("{kind} {name} is open at the end"));
            }
        }
    }

    fn start(
        &mut self,
        event: &RuntimeEvent,
        kind: &'static str,
        name: &str,
        turn: Option<String>,
        runs_on: bool,
        command: bool,
    ) {
        let late = turn.as_ref().is_some_and(|turn| self.over.contains(turn));
        let life = Life {
            turn,
            runs_on: runs_on || late,
            command,
            ended: false,
        };
        if self.lives.insert((kind, name.to_owned()), life).is_some() {
            self.breach(event, &format!("{kind} {name} is started twice"));
        }
    }

    fn end(&mut self, event: &RuntimeEvent, kind: &'static str, name: &str) {
        match self.lives.get_mut(&(kind, name.to_owned())) {
            None => self.breach(event, &format!("{kind} {name} ends and was not started")),
            Some(life) if life.ended => {
                self.breach(event, &format!("{kind} {name} ends twice"));
            }
            Some(life) => life.ended = true,
        }
    }

    fn nothing_open(&mut self, table: Table, event: &RuntimeEvent, turn: &str, state: TurnState) {
        let of_turn = self.lives.iter().filter(|(_, life)| {
            let stays = (table.background_stays && life.runs_on)
                || (table.commands_stay && life.command && state == TurnState::Completed);
            life.turn.as_deref() == Some(turn) && !life.ended && !stays
        });
        let open: Vec<String> = of_turn
            .map(|((kind, name), _)| format!("{kind} {name} is open after its turn"))
            .collect();
        for what in open {
            self.breach(event, &what);
        }
    }

    fn breach(&mut self, event: &RuntimeEvent, what: &str) {
        let (id, event_type) = (&event.event_id, event.event_type().as_str());
        self.breaches.push(format!("{id} {event_type}: {what}"));
    }
}

/// Whether an event says that its item belongs to an agent or a terminal in the background.
fn runs_on(table: Table, event: &RuntimeEvent, command: bool) -> bool {
    match table.provider {
        "acp" => command,
        "claude" | "amp" => {
            let text = event.to_json().unwrap();
            ["parentToolUseId", "parent_tool_use_id"]
                .iter()
                .any(|member| text.contains(&format!("\"{member}\":\"")))
        }
        _ => false,
    }
}

fn end_of_turn(payload: &EventPayload) -> Option<TurnState> {
    if let EventPayload::TurnCompleted(end) = payload {
        return Some(end.state);
    }
    matches!(payload, EventPayload::TurnAborted(_)).then_some(TurnState::Interrupted)
}
