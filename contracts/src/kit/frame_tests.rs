//! Lines, whatever pieces they come in.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;

fn frames(limit: usize, pieces: &[&[u8]]) -> Vec<Frame> {
    let mut framer = Framer::new(Limits { line_bytes: limit });
    let mut frames = Vec::new();
    for piece in pieces {
        framer.push(piece);
        frames.extend(std::iter::from_fn(|| framer.next_frame()));
    }
    framer.finish();
    frames.extend(std::iter::from_fn(|| framer.next_frame()));
    frames
}

fn line(number: u64, text: &str) -> Frame {
    Frame {
        number,
        content: FrameContent::Line(Arc::from(text)),
    }
}

#[test]
fn every_cut_gives_the_same_frames() {
    let input =
        "\u{feff}{\"a\":\"é\u{2028}\"}\r\n\n \t\r\n0123456789\r\n01234567890\n\r\r\nnot utf8 "
            .as_bytes();
    let mut input = input.to_vec();
    input.extend_from_slice(b"\xff\xfe\nthe end\r");
    let expected = vec![
        line(1, "{\"a\":\"é\u{2028}\"}"),
        line(4, "0123456789"),
        line(5, "01234567890"),
        Frame {
            number: 7,
            content: FrameContent::NotUtf8(b"not utf8 \xff\xfe".to_vec()),
        },
        line(8, "the end"),
    ];
    assert_eq!(frames(99, &[&input]), expected);
    let mut short = expected;
    short[0].content = FrameContent::TooLong {
        size: 13,
        head: "{\"a\":\"é\u{2028}\"}".into(),
    };
    short[2].content = FrameContent::TooLong {
        size: 11,
        head: b"01234567890".to_vec(),
    };
    short[3].content = FrameContent::TooLong {
        size: 11,
        head: b"not utf8 \xff\xfe".to_vec(),
    };
    for one in 0..=input.len() {
        for two in one..=input.len() {
            assert_eq!(
                frames(10, &[&input[..one], &input[one..two], &input[two..]]),
                short,
                "{one} {two}"
            );
        }
    }
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    assert_eq!(frames(10, &bytes), short);
}

#[test]
fn marks_and_returns_are_cut_once() {
    assert_eq!(frames(9, &[b"\xef\xbb\xbf\r\n"]), []);
    assert_eq!(
        frames(9, &[b"a\n\xef\xbb\xbfb\n"]),
        [line(1, "a"), line(2, "\u{feff}b")]
    );
    assert_eq!(frames(9, &[b"a\r\r\n"]), [line(1, "a\r")]);
    assert_eq!(frames(9, &[b"a\rb"]), [line(1, "a\rb")]);
    assert_eq!(frames(9, &[b"\n\n"]), []);
}

#[test]
fn a_long_line_in_small_pieces_is_kept_whole() {
    let limit = Limits::default().line_bytes;
    let piece = [b'x'; 4096];
    let mut framer = Framer::default();
    for _ in 0..limit / piece.len() {
        framer.push(&piece);
        assert_eq!(framer.next_frame(), None);
    }
    framer.push(b"\r\nnext\n");
    let Some(Frame {
        number: 1,
        content: FrameContent::Line(text),
    }) = framer.next_frame()
    else {
        panic!()
    };
    assert_eq!(text.len(), limit);
    assert_eq!(framer.next_frame(), Some(line(2, "next")));
    assert!(framer.pending.capacity() <= KEPT_CAPACITY);
}

#[test]
fn past_the_limit_bytes_are_counted_and_not_kept() {
    let mut framer = Framer::new(Limits { line_bytes: 10_000 });
    let mut most = 0;
    for index in 0_u32..1000 {
        framer.push(&index.to_be_bytes().map(|byte| byte.max(b' ')).repeat(64));
        most = most.max(framer.pending.capacity());
    }
    framer.push(b"!\r\nin step again\n");
    let Some(Frame {
        number: 1,
        content: FrameContent::TooLong { size, head },
    }) = framer.next_frame()
    else {
        panic!()
    };
    assert_eq!((size, head.len()), (256_001, HEAD_BYTES));
    assert!(most < 20_500, "{most}");
    assert_eq!(framer.next_frame(), Some(line(2, "in step again")));
    assert_eq!(framer.next_frame(), None);
}

#[test]
fn finish_is_harmless_twice_and_the_limit_may_be_anything() {
    let mut framer = Framer::new(Limits {
        line_bytes: usize::MAX,
    });
    framer.push(b"a");
    framer.finish();
    framer.finish();
    assert_eq!(framer.next_frame(), Some(line(1, "a")));
    assert_eq!(framer.next_frame(), None);
    let long = FrameContent::TooLong {
        size: 1,
        head: b"a".to_vec(),
    };
    assert_eq!(
        frames(0, &[b"a\n\nb"])[0],
        Frame {
            number: 1,
            content: long
        }
    );
}
