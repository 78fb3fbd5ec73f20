//! What commands say while they work: lines, a step on a terminal that tells how long it takes, or nothing.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a running step is shown anew.
const TICK: Duration = Duration::from_millis(200);

/// How a command says what it does, on standard error.
pub struct Voice(Kind);

enum Kind {
    Lines,
    Steps(Steps),
    Silent,
}

struct Steps {
    said: Option<Sender<String>>,
    teller: Option<JoinHandle<()>>,
}

impl Voice {
    /// A line for everything.
    pub fn lines() -> Self {
        Self(Kind::Lines)
    }

    /// On a terminal the step at hand and how long it has taken; elsewhere, nothing.
    pub fn steps() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(Kind::Silent);
        }
        let (said, heard) = mpsc::channel::<String>();
        let teller = thread::spawn(move || {
            let mut step: Option<(String, Instant)> = None;
            loop {
                match heard.recv_timeout(TICK) {
                    Ok(text) => {
                        finish(step.as_ref());
                        step = Some((text, Instant::now()));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if let Some((text, since)) = &step {
                    show(&format!(
                        "\r\x1b[2K{text} … {} s",
                        since.elapsed().as_secs()
                    ));
                }
            }
            finish(step.as_ref());
        });
        Self(Kind::Steps(Steps {
            said: Some(said),
            teller: Some(teller),
        }))
    }

    /// Says what is done from now on.
    pub fn say(&self, text: &str) {
        match &self.0 {
            Kind::Lines => eprintln!("{text}"),
            Kind::Steps(Steps {
                said: Some(said), ..
            }) => drop(said.send(text.to_owned())),
            Kind::Steps(_) | Kind::Silent => {}
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        drop(self.said.take());
        if let Some(teller) = self.teller.take() {
            drop(teller.join());
        }
    }
}

fn finish(step: Option<&(String, Instant)>) {
    if let Some((text, since)) = step {
        let seconds = since.elapsed().as_secs_f32();
        show(&format!("\r\x1b[2K{text}: {seconds:.1} s\n"));
    }
}

/// A terminal that went away is no reason to stop.
fn show(text: &str) {
    let mut out = std::io::stderr().lock();
    drop(out.write_all(text.as_bytes()));
    drop(out.flush());
}
