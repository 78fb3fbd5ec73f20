#![allow(clippy::unwrap_used, clippy::panic)]
use std::sync::Arc;

use super::*;

const LINE: &str = r#"{"id":1,"result":{"b": 1.50 ,"a":[ 1 ],"b":1e400,"t":"x\ny"}}"#;

fn with_cx(check: impl FnOnce(&Cx<'_>, &Arc<str>)) {
    let line: Arc<str> = Arc::from(LINE);
    let mut drafts = Vec::new();
    let start = LINE.find(r#"{"b""#).unwrap();
    check(&Cx::new(&line, start..LINE.len() - 1, &mut drafts), &line);
}

#[test]
fn members_come_in_their_order() {
    with_cx(|cx, _| {
        let body = cx.body();
        let mut seen = Vec::new();
        each_member(&body, |name, value| seen.push(format!("{name}={value}")));
        assert_eq!(seen, ["b=1.50", "a=[ 1 ]", "b=1e400", r#"t="x\ny""#]);
    });
}

#[test]
fn members_are_slices_of_the_line_and_the_last_duplicate_wins() {
    with_cx(|cx, line| {
        let body = cx.body();
        let before = Arc::strong_count(line);
        let members = members_of(cx, &body);
        let texts: Vec<_> = members
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(texts, [("a", "[ 1 ]"), ("b", "1e400"), ("t", r#""x\ny""#)]);
        assert_eq!(Arc::strong_count(line), before + 3);
    });
}

#[test]
fn what_is_no_object_has_no_members() {
    with_cx(|cx, _| {
        let array = cx.raw(&["a"]).unwrap();
        assert!(members_of(cx, &array).is_empty());
    });
}

#[test]
fn text_is_decoded_and_only_text() {
    with_cx(|cx, _| {
        assert_eq!(text(cx, &["t"]).as_deref(), Some("x\ny"));
        assert_eq!(text(cx, &["a"]), None);
        assert_eq!(text(cx, &["z"]), None);
    });
}
