//! The life of items.

use super::*;

#[test]
fn a_plain_life_passes_as_it_is() {
    let mut bench = Bench::new();
    let item = || refs("A", "t", "i");
    assert_eq!(bench.ledger.item_type_of(Some("A"), "i"), None);
    assert_eq!(
        bench.types(item(), ItemStarted(life(ItemType::Plan))),
        [Started]
    );
    assert_eq!(
        bench.ledger.item_type_of(Some("A"), "i"),
        Some(ItemType::Plan)
    );
    assert_eq!(
        bench.types(item(), delta(ContentStreamKind::PlanText)),
        [EventType::ContentDelta]
    );
    let update = bench.one(item(), ItemUpdated(life(ItemType::Unknown)));
    assert_eq!(update.payload, ItemUpdated(life(ItemType::Unknown)).into());
    assert_eq!(
        bench.types(item(), ItemCompleted(life(ItemType::Plan))),
        [Completed]
    );
    assert_eq!(
        bench.ledger.item_type_of(Some("A"), "i"),
        Some(ItemType::Plan)
    );
}

#[test]
fn an_item_is_started_once_and_never_open_again() {
    let mut bench = Bench::new();
    let item = || refs("A", "t", "i");
    let started = || ItemStarted(life(ItemType::Reasoning));
    let completed = || ItemCompleted(life(ItemType::Reasoning));
    assert_eq!(bench.types(item(), started()), [Started]);
    let (admission, out) = bench.admit(item(), started());
    assert_eq!(admission, Admission::Updated);
    assert_eq!(
        out[0].payload,
        ItemUpdated(life(ItemType::Reasoning)).into()
    );
    assert_eq!(bench.types(item(), completed()), [Completed]);
    assert_eq!(bench.types(item(), completed()), [Updated]);
    assert_eq!(bench.types(item(), started()), [Updated]);
    let text = delta(ContentStreamKind::ReasoningText);
    let late = (Admission::Refused(Rule::AfterTheEnd), vec![]);
    assert_eq!(bench.admit(item(), text), late);
    assert_eq!(
        bench.types(item(), ItemUpdated(life(ItemType::Reasoning))),
        [Updated]
    );
    assert_eq!(bench.types(item(), completed()), [Updated]);
}

#[test]
fn a_completion_without_a_start_is_given_one() {
    let mut bench = Bench::new();
    // A request may name the item before anything is known about it; that is no start.
    bench.one(refs("A", "t", "i"), RuntimeWarning::new("w"));
    let declined = ItemLifecycle {
        status: Some(ItemStatus::Declined),
        title: Some("ls".into()),
        ..life(ItemType::CommandExecution)
    };
    let (admission, out) = bench.admit(refs("A", "t", "i"), ItemCompleted(declined.clone()));
    assert_eq!(admission, Admission::Stubbed);
    let in_progress = ItemLifecycle {
        status: Some(ItemStatus::InProgress),
        ..life(ItemType::CommandExecution)
    };
    assert_eq!(out[0].payload, ItemStarted(in_progress).into());
    assert_eq!(out[1].payload, ItemCompleted(declined).into());
    assert_ne!(out[0].event_id, out[1].event_id);
    let same = |event: &RuntimeEvent| RuntimeEvent {
        event_id: "same".into(),
        payload: RuntimeWarning::new("same").into(),
        ..event.clone()
    };
    assert_eq!(same(&out[0]), same(&out[1]));
    assert_eq!(out[0].raw, Some(raw()));
}

#[test]
fn content_of_an_unseen_item_opens_it_by_the_kind_of_stream() {
    let mut bench = Bench::new();
    for kind in ContentStreamKind::ALL {
        let item = || refs("A", "t", kind.as_str());
        let (admission, out) = bench.admit(item(), delta(*kind));
        assert_eq!((admission, out.len()), (Admission::Stubbed, 2));
        assert_eq!(out[0].payload, stub((*kind).into()).into());
        assert_eq!(bench.types(item(), delta(*kind)), [EventType::ContentDelta]);
    }
    assert_eq!(
        bench.types(refs("A", "t", "v"), ItemUpdated(life(ItemType::ImageView))),
        [Started, Updated]
    );
    let no_item = Refs {
        item: None,
        ..refs("A", "t", "")
    };
    let text = delta(ContentStreamKind::AssistantText);
    assert_eq!(bench.types(no_item, text), [EventType::ContentDelta]);
}

#[test]
fn a_type_that_is_told_late_is_learnt() {
    let mut bench = Bench::new();
    bench.admit(refs("A", "t", "i"), delta(ContentStreamKind::Unknown));
    assert_eq!(
        bench.ledger.item_type_of(Some("A"), "i"),
        Some(ItemType::Unknown)
    );
    bench.admit(refs("A", "t", "i"), ItemUpdated(life(ItemType::WebSearch)));
    bench.admit(refs("A", "t", "i"), ItemUpdated(life(ItemType::Unknown)));
    assert_eq!(
        bench.ledger.item_type_of(Some("A"), "i"),
        Some(ItemType::WebSearch)
    );
}

#[test]
fn two_threads_may_use_one_item_id() {
    let mut bench = Bench::new();
    let nowhere = || Refs {
        thread: None,
        ..refs("", "t", "i")
    };
    for (item, thread, id) in [
        (refs("A", "t", "i"), Some("A"), "item-1"),
        (refs("B", "t", "i"), Some("B"), "item-2"),
        (nowhere(), None, "item-3"),
    ] {
        let event = bench.one(item, ItemStarted(life(ItemType::Plan)));
        assert_eq!(
            (event.event_type(), event.item_id.unwrap().as_str()),
            (Started, id)
        );
        assert_eq!(event.thread_id.is_some(), thread.is_some());
        assert_eq!(bench.ledger.item_type_of(thread, "i"), Some(ItemType::Plan));
    }
}

#[test]
fn a_closed_thread_forgets_its_items_and_no_others() {
    let mut bench = Bench::new();
    for thread in ["A", "B"] {
        bench.admit(refs(thread, "t", "i"), ItemStarted(life(ItemType::Plan)));
    }
    let thread = Refs {
        turn: None,
        item: None,
        ..refs("A", "", "")
    };
    let told = bench
        .admit(thread, ThreadStateChanged::new(ThreadState::Closed))
        .1;
    let types: Vec<EventType> = told.iter().map(RuntimeEvent::event_type).collect();
    let expected = [
        EventType::ThreadStarted,
        Completed,
        EventType::ThreadStateChanged,
    ];
    assert_eq!(types, expected);
    let closed = told.last().unwrap();
    assert_eq!(bench.ledger.items.len(), 1);
    assert_eq!(bench.ledger.item_type_of(Some("A"), "i"), None);
    assert_eq!(
        bench.ledger.item_type_of(Some("B"), "i"),
        Some(ItemType::Plan)
    );
    let again = bench.one(refs("A", "t", "i"), ItemStarted(life(ItemType::Plan)));
    assert_eq!(
        (again.thread_id, again.item_id.unwrap().as_str()),
        (closed.thread_id.clone(), "item-3")
    );
}

#[test]
fn an_id_that_is_used_again_for_another_item_names_a_new_one() {
    let mut bench = Bench::new();
    let ended = |bench: &mut Bench, turn: &str, item_type| {
        let first = bench
            .admit(refs("A", turn, "i"), ItemStarted(life(item_type)))
            .1;
        bench.admit(refs("A", turn, "i"), ItemCompleted(life(item_type)));
        first[0].item_id.clone()
    };
    let entered = ended(&mut bench, "t", ItemType::ReviewEntered);
    // Another type in the same turn, first with a start, then without one.
    let exited = ended(&mut bench, "t", ItemType::ReviewExited);
    assert_ne!(entered, exited);
    assert_eq!(
        bench.types(refs("A", "t", "i"), ItemCompleted(life(ItemType::Plan))),
        [Started, Completed]
    );
    // The same type in the same turn is the same item; in another turn a start is a new one.
    let plan = ItemStarted(life(ItemType::Plan));
    assert_eq!(bench.types(refs("A", "t", "i"), plan.clone()), [Updated]);
    assert_eq!(bench.types(refs("A", "u", "i"), plan), [Started]);
    // A late end may name another turn.
    let done = ItemCompleted(life(ItemType::Plan));
    assert_eq!(bench.types(refs("A", "u", "i"), done.clone()), [Completed]);
    assert_eq!(bench.types(refs("A", "w", "i"), done), [Updated]);
}
