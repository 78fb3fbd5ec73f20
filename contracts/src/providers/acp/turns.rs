//! Turns of the agent client protocol: a prompt that goes out starts one, its reply ends it.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::kit::envelope::RequestId;
use crate::kit::remembered::Remembered;

/// How many turns, ids of prompts and loading sessions are remembered: an agent that answers no
/// prompt must not fill the memory.
const REMEMBERED: usize = 4096;

/// Which turns are going on, and which sessions tell their history.
#[derive(Debug)]
pub(super) struct Turns {
    /// In the order of their prompts.
    open: VecDeque<Turn>,
    /// How often the id of a prompt was used.
    used: Remembered<Arc<str>, u32>,
    /// Sessions that the client loads, until the agent answers.
    loading: VecDeque<Arc<str>>,
}

#[derive(Debug)]
struct Turn {
    thread: Option<Arc<str>>,
    id: Arc<str>,
    /// A later prompt was answered first, so this one seems to be lost.
    overtaken: bool,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            open: VecDeque::new(),
            used: Remembered::new(REMEMBERED),
            loading: VecDeque::new(),
        }
    }
}

impl Turns {
    /// A prompt goes out. The protocol gives turns no ids, so the turn is named by the id of the
    /// prompt's request, with a number where a client uses an id again.
    pub fn start(&mut self, thread: Option<Arc<str>>, request: &RequestId) -> Arc<str> {
        let name: Arc<str> = Arc::from(request.to_wire());
        let times = self.used.get(&name).copied().unwrap_or(0) + 1;
        self.used.insert(Arc::clone(&name), times);
        let id = match times {
            1 => name,
            again => Arc::from(format!("{name}#{again}")),
        };
        self.open.push_back(Turn {
            thread,
            id: Arc::clone(&id),
            overtaken: false,
        });
        while self.open.len() > REMEMBERED {
            self.open.pop_front();
        }
        id
    }

    /// A prompt is answered.
    pub fn end(&mut self, id: &str) {
        let Some(index) = self.open.iter().position(|turn| *turn.id == *id) else {
            return;
        };
        let Some(ended) = self.open.remove(index) else {
            return;
        };
        for turn in self.open.iter_mut().take(index) {
            turn.overtaken |= turn.thread == ended.thread;
        }
    }

    /// A prompt is refused, which says nothing about those before it.
    pub fn refuse(&mut self, id: &str) {
        self.open.retain(|turn| *turn.id != *id);
    }

    /// The turn to which news of a thread belong. Where several prompts wait it is the first: a
    /// second prompt either waits for the first or cancels it, and its own news come after the
    /// reply to the first.
    pub fn current(&self, thread: Option<&Arc<str>>) -> Option<Arc<str>> {
        let mut of_thread = self
            .open
            .iter()
            .filter(|turn| turn.thread.as_ref() == thread && !turn.overtaken);
        of_thread.next().map(|turn| Arc::clone(&turn.id))
    }

    /// The thread in which turns go on, where there is only one.
    pub fn only_thread(&self) -> Option<Arc<str>> {
        let mut threads = self.open.iter().filter(|turn| !turn.overtaken);
        let thread = &threads.next()?.thread;
        let only = threads.all(|turn| turn.thread == *thread);
        thread.clone().filter(|_| only)
    }

    /// Whether a turn goes on. One that seems to be lost does not.
    pub fn goes_on(&self, id: &str) -> bool {
        let mut open = self.open.iter();
        open.any(|turn| *turn.id == *id && !turn.overtaken)
    }

    /// The client loads a session: what the agent tells of it now is history.
    pub fn load(&mut self, thread: Arc<str>) {
        self.loading.push_back(thread);
        while self.loading.len() > REMEMBERED {
            self.loading.pop_front();
        }
    }

    /// The agent answers the request to load a session.
    pub fn loaded(&mut self, thread: &str) {
        if let Some(index) = self.loading.iter().position(|known| **known == *thread) {
            self.loading.remove(index);
        }
    }

    /// Whether news of a thread are history.
    pub fn is_history(&self, thread: &str) -> bool {
        self.loading.iter().any(|known| **known == *thread)
    }
}
