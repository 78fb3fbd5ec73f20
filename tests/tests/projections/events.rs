//! Canonical events by hand, and projections of whole streams.

use agentwire::canonical::RuntimeEvent;
use agentwire::projection::agent_event::{AgentEvent, AgentEvents};
use agentwire::projection::universal::{Universal, UniversalEvent};
use serde_json::{Value, json};

/// A session that a test tells.
pub struct Script {
    provider: &'static str,
    refs: Value,
    envelope: Value,
    raw: Value,
    pub events: Vec<RuntimeEvent>,
}

impl Script {
    /// One of a provider, in a thread and a turn whose provider ids are `native-thread` and
    /// `native-turn`.
    pub fn of(provider: &'static str) -> Self {
        Self {
            provider,
            refs: json!({"providerThreadId": "native-thread", "providerTurnId": "native-turn"}),
            envelope: json!({"threadId": "thread-1", "turnId": "turn-1"}),
            raw: json!({"source": "codex.app-server.notification", "payload": {"said": [1, 2.50]}}),
            events: Vec::new(),
        }
    }

    /// From now on, the provider names this and nothing else.
    pub fn refs(mut self, refs: Value) -> Self {
        self.refs = refs;
        self
    }

    /// From now on, the events are about this.
    pub fn about(mut self, envelope: Value) -> Self {
        self.envelope = envelope;
        self
    }

    /// From now on, the events come from a message of this type.
    pub fn message_type(mut self, message_type: &str) -> Self {
        self.raw["messageType"] = json!(message_type);
        self
    }

    /// An event that names no item.
    pub fn tell(self, event_type: &str, payload: Value) -> Self {
        self.told(event_type, payload, json!({}), None)
    }

    /// An event of an item. The provider's own id of it is `native-` and the name, but for an agent
    /// without ids.
    pub fn item(self, event_type: &str, item: &str, payload: Value) -> Self {
        let native = (self.provider != "claude").then(|| format!("native-{item}"));
        self.told(event_type, payload, json!({"itemId": item}), native)
    }

    /// An event of a request.
    pub fn request(self, event_type: &str, request: &str, payload: Value) -> Self {
        self.told(event_type, payload, json!({"requestId": request}), None)
    }

    pub fn told(
        mut self,
        event_type: &str,
        payload: Value,
        more: Value,
        native_item: Option<String>,
    ) -> Self {
        let number = self.events.len() + 1;
        let mut event = json!({
            "eventId": format!("event-{number}"),
            "provider": self.provider,
            "sessionId": "session-1",
            "createdAt": "2026-11-29T20:02:02.501Z",
            "type": event_type,
            "payload": payload,
            "providerRefs": self.refs,
            "raw": self.raw,
        });
        for members in [&self.envelope, &more] {
            for (name, value) in members.as_object().unwrap() {
                event[name] = value.clone();
            }
        }
        if let Some(native) = native_item {
            event["providerRefs"]["providerItemId"] = json!(native);
        }
        let text = event.to_string();
        let read = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        self.events.push(read);
        self
    }

    /// The transcript of what was told so far.
    pub fn open(&self) -> Vec<Value> {
        let mut universal = Universal::new();
        trees(self.events.iter().flat_map(|event| universal.push(event)))
    }

    /// The transcript of the whole stream.
    pub fn whole(&self) -> Vec<Value> {
        trees(transcript(&self.events))
    }

    /// The only events of a type.
    pub fn all(&self, event_type: &str) -> Vec<Value> {
        let mut whole = self.whole();
        whole.retain(|event| event["type"] == event_type);
        whole
    }

    /// The only event of a type.
    pub fn one(&self, event_type: &str) -> Value {
        let mut found = self.all(event_type);
        assert_eq!(found.len(), 1, "{event_type}: {:#?}", self.whole());
        found.remove(0)
    }

    /// The run of the whole stream.
    pub fn run(&self) -> Vec<Value> {
        self.run_with(AgentEvents::new())
    }

    /// The same with what the host has set.
    pub fn run_with(&self, run: AgentEvents) -> Vec<Value> {
        let events = run_of(run, &self.events);
        events
            .iter()
            .map(|it| serde_json::to_value(it).unwrap())
            .collect()
    }
}

/// The transcript of a stream, to its end.
pub fn transcript(events: &[RuntimeEvent]) -> Vec<UniversalEvent> {
    let mut universal = Universal::new();
    let mut told: Vec<UniversalEvent> = Vec::new();
    for event in events {
        told.extend(universal.push(event));
    }
    told.extend(universal.finish());
    told
}

/// A run of a stream, to its end.
pub fn run_of(mut run: AgentEvents, events: &[RuntimeEvent]) -> Vec<AgentEvent> {
    let mut told: Vec<AgentEvent> = Vec::new();
    for event in events {
        told.extend(run.push(event));
    }
    told.extend(run.finish());
    told
}

fn trees(events: impl IntoIterator<Item = UniversalEvent>) -> Vec<Value> {
    let events = events.into_iter();
    events
        .map(|event| serde_json::from_str(&event.to_json().unwrap()).unwrap())
        .collect()
}

/// The types of events.
pub fn types(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect()
}
