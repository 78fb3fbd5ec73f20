//! Plans of the agent: a tool that sets the whole list, and tools that change single tasks.

use std::collections::BTreeMap;

use crate::canonical::{PlanStep, PlanStepStatus, TurnPlanUpdated};
use crate::json::{Kind, Malformed, OwnedJson, Reader, decode};
use crate::providers::claude::wire::{TodoWriteInput, values};

/// The tool that sets the whole list.
pub(super) const TODO_WRITE: &str = "TodoWrite";

/// The tool that adds a task.
pub(super) const TASK_CREATE: &str = "TaskCreate";

/// The tool that changes a task.
pub(super) const TASK_UPDATE: &str = "TaskUpdate";

/// How many tasks are remembered.
const TASKS: usize = 1024;

/// The list of tasks, by their numbers.
#[derive(Debug, Default)]
pub(super) struct TaskList {
    tasks: BTreeMap<(usize, String), PlanStep>,
}

impl TaskList {
    /// The whole plan after a task was added, if the result says which.
    pub fn created(&mut self, result: &OwnedJson) -> Option<TurnPlanUpdated> {
        let mut task = members(result, &["task"])?;
        let [id, subject] = texts(&mut task, ["id", "subject"]).ok()?;
        if self.tasks.len() >= TASKS {
            return None;
        }
        let step = PlanStep {
            step: subject?,
            status: PlanStepStatus::Pending,
        };
        self.tasks.insert(key(id?), step);
        Some(self.plan())
    }

    /// The whole plan after a task was changed.
    pub fn updated(&mut self, input: &OwnedJson) -> Option<TurnPlanUpdated> {
        let mut reader = input.reader();
        let [id, status, subject] = texts(&mut reader, ["taskId", "status", "subject"]).ok()?;
        let key = key(id?);
        if status.as_deref() == Some("deleted") {
            self.tasks.remove(&key)?;
            return Some(self.plan());
        }
        let task = self.tasks.get_mut(&key)?;
        if let Some(status) = status {
            task.status = step_status(&status);
        }
        if let Some(subject) = subject {
            task.step = subject;
        }
        Some(self.plan())
    }

    fn plan(&self) -> TurnPlanUpdated {
        TurnPlanUpdated {
            explanation: None,
            plan: self.tasks.values().cloned().collect(),
        }
    }
}

/// The plan that the tool sets which sets all of it; nothing where it can't be read.
pub(super) fn todos(input: &OwnedJson) -> Option<TurnPlanUpdated> {
    let (input, _) = decode::<TodoWriteInput<'_>>(input.as_str()).ok()?;
    let steps = input.todos.iter().map(|todo| PlanStep {
        step: todo.content.to_string(),
        // A status that can't be read is not done.
        status: values::todo_status(&todo.status).unwrap_or(PlanStepStatus::Pending),
    });
    Some(TurnPlanUpdated {
        explanation: None,
        plan: steps.collect(),
    })
}

/// Numbers sort by their value.
fn key(id: String) -> (usize, String) {
    (id.len(), id)
}

/// A status of a task; one that can't be read is not done.
fn step_status(status: &str) -> PlanStepStatus {
    match status {
        "completed" => PlanStepStatus::Completed,
        "in_progress" => PlanStepStatus::InProgress,
        _ => PlanStepStatus::Pending,
    }
}

/// A reader that stands at the member of an object.
fn members<'a>(object: &'a OwnedJson, path: &[&str]) -> Option<Reader<'a>> {
    let text = object.as_str();
    let mut range = 0..text.len();
    for name in path {
        range = crate::kit::mapping::member(text, range, name)?;
    }
    Some(Reader::over(text, range))
}

/// The members of an object that are texts, or numbers as they are written.
fn texts<const N: usize>(
    reader: &mut Reader<'_>,
    names: [&str; N],
) -> Result<[Option<String>; N], Malformed> {
    let mut found = [const { None }; N];
    if reader.kind()? != Kind::Object {
        return Ok(found);
    }
    let mut object = reader.object()?;
    while let Some(name) = reader.key(&mut object)? {
        let slot = names.iter().position(|known| **known == *name);
        match (slot.and_then(|slot| found.get_mut(slot)), reader.kind()?) {
            (Some(slot), Kind::String) => *slot = Some(reader.string()?.into_owned()),
            (Some(slot), Kind::Number) => *slot = Some(reader.raw()?.as_str().to_owned()),
            _ => reader.skip()?,
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn tasks_make_a_plan() {
        let json = |text: &str| OwnedJson::parse(text).unwrap();
        let mut tasks = TaskList::default();
        for id in ["2", "10", "1"] {
            let result = format!(r#"{{"task":{{"id":"{id}","subject":"step {id}"}}}}"#);
            tasks.created(&json(&result)).unwrap();
        }
        let plan = tasks.updated(&json(r#"{"taskId":2,"status":"completed"}"#));
        let steps: Vec<(String, PlanStepStatus)> = plan
            .unwrap()
            .plan
            .into_iter()
            .map(|step| (step.step, step.status))
            .collect();
        assert_eq!(
            steps,
            [
                (String::from("step 1"), PlanStepStatus::Pending),
                (String::from("step 2"), PlanStepStatus::Completed),
                (String::from("step 10"), PlanStepStatus::Pending),
            ]
        );
        let odd = tasks.updated(&json(r#"{"taskId":"2","status":"finished"}"#));
        assert_eq!(odd.unwrap().plan[1].status, PlanStepStatus::Pending);
        let gone = tasks.updated(&json(r#"{"taskId":"2","status":"deleted"}"#));
        assert_eq!(gone.unwrap().plan.len(), 2);
        assert!(tasks.updated(&json(r#"{"taskId":"7"}"#)).is_none());
        assert!(tasks.created(&json(r#"{"task":7}"#)).is_none());
    }
}
