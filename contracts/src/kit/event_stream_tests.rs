//! Server-sent events in every form that a server may give them.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;

fn read(stream: &[u8], limit: usize, piece: usize) -> Vec<EventFrame> {
    let mut framer = EventFramer::new(Limits { line_bytes: limit });
    for piece in stream.chunks(piece.max(1)) {
        framer.push(piece);
    }
    framer.finish();
    std::iter::from_fn(|| framer.next_frame()).collect()
}

/// The data of each event, however the stream is cut.
fn data(stream: &str) -> Vec<String> {
    let whole = read(stream.as_bytes(), 1 << 20, stream.len());
    for size in [1, 2, 3, 7] {
        assert_eq!(read(stream.as_bytes(), 1 << 20, size), whole, "by {size}");
    }
    let lines = whole.into_iter().map(|frame| match frame.content {
        FrameContent::Line(line) => line.to_string(),
        FrameContent::NotUtf8(_) | FrameContent::TooLong { .. } => panic!("{frame:?}"),
    });
    lines.collect()
}

#[test]
fn a_blank_line_ends_an_event_whatever_ends_a_line() {
    for end in ["\n", "\r\n", "\r"] {
        let stream = ["data: {\"a\":1}", "", "data:{\"b\":2}", "", ""].join(end);
        assert_eq!(data(&stream), [r#"{"a":1}"#, r#"{"b":2}"#], "{end:?}");
    }
    assert_eq!(data("data: a\r\n\ndata: b\n\r\n"), ["a", "b"]);
}

#[test]
fn lines_of_data_are_joined_and_lose_one_blank() {
    assert_eq!(data("data: a\ndata:  b\ndata\ndata:c\n\n"), ["a\n b\n\nc"]);
}

#[test]
fn what_is_no_data_is_no_event() {
    assert_eq!(
        data(": alive\n\n:\n\nevent: x\n\ndata:\n\ndata: \n\nlamp: 1\n\n"),
        [""; 0]
    );
    assert_eq!(data("lamp\ndata: a\n: between\n\n"), ["a"]);
}

#[test]
fn the_mark_at_the_start_is_cut_off_and_no_other() {
    assert_eq!(
        data("\u{feff}data: a\n\ndata: \u{feff}b\n\n"),
        ["a", "\u{feff}b"]
    );
    assert_eq!(data("\u{feff}\u{feff}data: a\n\n"), [""; 0]);
}

#[test]
fn separators_that_are_no_line_ends_stay() {
    assert_eq!(data("data: a\u{2028}b\u{85}c\n\n"), ["a\u{2028}b\u{85}c"]);
}

#[test]
fn types_ids_and_waits_are_told() {
    let mut framer = EventFramer::default();
    framer.push(b"event: lit\nid: 7\nretry: 250\ndata: a\n\ndata: b\n\n");
    framer.push(b"id\nretry: soon\nretry:\ndata: c\n\nid: x\0\ndata: d\n\n");
    let frames: Vec<EventFrame> = std::iter::from_fn(|| framer.next_frame()).collect();
    let told: Vec<(Option<&str>, Option<&str>, u64)> = frames
        .iter()
        .map(|it| (it.event.as_deref(), it.id.as_deref(), it.number))
        .collect();
    assert_eq!(
        told,
        [
            (Some("lit"), Some("7"), 4),
            (None, Some("7"), 6),
            (None, Some(""), 11),
            (None, Some(""), 14),
        ]
    );
    assert_eq!((framer.retry(), framer.last_id()), (Some(250), Some("")));
}

#[test]
fn an_event_that_is_cut_comes_out_as_far_as_it_goes() {
    assert_eq!(data("data: a\n\ndata: {\"b\""), ["a", "{\"b\""]);
    assert_eq!(data("data: a\ndata: b\n"), ["a\nb"]);
}

#[test]
fn what_is_too_long_is_counted_and_the_next_event_is_read() {
    for stream in [
        "data: 123456789\n\ndata: ok\n\n",
        "data: 1234\ndata: 6789\n\ndata: ok\n\n",
    ] {
        for piece in [1, 5, 100] {
            let frames = read(stream.as_bytes(), 8, piece);
            let [long, next] = &frames[..] else {
                panic!("{frames:?}")
            };
            let FrameContent::TooLong { size, head } = &long.content else {
                panic!("{long:?}")
            };
            assert_eq!((*size, head.len()), (9, 8), "{stream}");
            assert_eq!(next.content, FrameContent::Line(Arc::from("ok")));
        }
    }
    let longest = read(b"\xef\xbb\xbfdata: 12345678\n\n", 8, 3);
    assert_eq!(
        longest[0].content,
        FrameContent::Line(Arc::from("12345678"))
    );
    // A line far beyond the limit takes no more memory than the limit.
    let mut framer = EventFramer::new(Limits { line_bytes: 8 });
    framer.push(b"data: ");
    for _ in 0..1000 {
        framer.push(b"0123456789");
    }
    assert!(framer.line.capacity() < 128);
    framer.push(b"\n\n");
    let size = match framer.next_frame().unwrap().content {
        FrameContent::TooLong { size, .. } => size,
        other @ (FrameContent::Line(_) | FrameContent::NotUtf8(_)) => panic!("{other:?}"),
    };
    assert_eq!(size, 10_000);
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let frames = read(b"data: \xff\n\nid: \xff\ndata: a\n\n", 100, 1);
    assert_eq!(frames[0].content, FrameContent::NotUtf8(vec![0xff]));
    assert_eq!((frames.len(), &frames[1].id), (2, &None));
}
