//! Players to measure with: one that writes its answers down, one that reads them off, one behind pipes.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use data_encoding::HEXLOWER;

use crate::failure::{CallError, HostError};
use crate::games::GameId;
use crate::ids::{Answer, Seat};
use crate::play::Player;
use crate::play::native::Make;

/// Writes down what another player answers.
pub(super) struct Recorder<P> {
    player: P,
    answers: Rc<RefCell<Vec<i64>>>,
}

impl<P> Recorder<P> {
    pub(super) fn new(player: P, answers: Rc<RefCell<Vec<i64>>>) -> Recorder<P> {
        Recorder { player, answers }
    }
}

impl<P: Player> Player for Recorder<P> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        self.player.start(seat, seats, seed)
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        let answer = self.player.decide(decision, view)?;
        self.answers.borrow_mut().push(answer.action);
        Ok(answer)
    }
}

/// Answers what was written down, in order.
pub(super) struct Recorded<'a>(std::slice::Iter<'a, i64>);

impl<'a> Recorded<'a> {
    pub(super) fn new(answers: &'a [i64]) -> Recorded<'a> {
        Recorded(answers.iter())
    }
}

impl Player for Recorded<'_> {
    fn start(&mut self, _: Seat, _: usize, _: u64) -> Result<(), CallError> {
        Ok(())
    }

    fn decide(&mut self, _: u8, _: &[u8]) -> Result<Answer, CallError> {
        let over = || HostError::new("repeat an answer", "more is asked than was recorded");
        Ok(Answer { action: *self.0.next().ok_or_else(over)?, fuel: 0 })
    }
}

/// The hidden command by which the binary is a bot behind pipes.
pub const COMMAND: &str = "__bot";

/// How long a bot's process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// For one match.
    Match,
    /// For all matches: it could remember one in another.
    League,
}

/// A native bot in a process of its own: it is told `start SEAT SEATS SEED`, answers nothing, and then for each
/// `DECISION VIEW` (in hexadecimal) the action, a line each.
pub(super) struct Piped<'p> {
    program: &'p Path,
    game: GameId,
    life: Life,
    process: Option<Process>,
    line: String,
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl<'p> Piped<'p> {
    /// A bot whose process is still to be started.
    pub(super) fn new(program: &'p Path, game: GameId, life: Life) -> Piped<'p> {
        Piped { program, game, life, process: None, line: String::new() }
    }

    /// Whether there can be one at all, and why not.
    pub(super) fn try_start(program: &Path, game: GameId) -> std::io::Result<()> {
        let failed = |error| std::io::Error::other(format!("failed to start a bot in a process of its own: {error}"));
        Process::spawn(program, game).map(drop).map_err(failed)
    }
}

impl Process {
    fn spawn(program: &Path, game: GameId) -> std::io::Result<Process> {
        let mut child = Command::new(program)
            .args([COMMAND, game.name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let pipe = || std::io::Error::other("a pipe is missing");
        let input = child.stdin.take().ok_or_else(pipe)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(pipe)?);
        Ok(Process { child, input, output })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What fails about a bot in a process of its own, which this program is itself.
fn piped(why: impl std::fmt::Display) -> HostError {
    HostError::new("ask a bot in a process of its own", why)
}

impl Player for &mut Piped<'_> {
    fn start(&mut self, seat: Seat, seats: usize, seed: u64) -> Result<(), CallError> {
        // The one of the match before ends first.
        let kept = self.process.take().filter(|_| self.life == Life::League);
        let process = match kept {
            Some(process) => process,
            None => Process::spawn(self.program, self.game).map_err(piped)?,
        };
        let process = self.process.insert(process);
        // In one piece: each write is a call of the system, and wakes the bot.
        let line = format!("start {} {seats} {seed}\n", seat.0);
        Ok(process.input.write_all(line.as_bytes()).map_err(piped)?)
    }

    fn decide(&mut self, decision: u8, view: &[u8]) -> Result<Answer, CallError> {
        use std::fmt::Write as _;
        let process = self.process.as_mut().ok_or_else(|| piped("it is not started"))?;
        self.line.clear();
        let _ = write!(self.line, "{decision} ");
        HEXLOWER.encode_append(view, &mut self.line);
        self.line.push('\n');
        process.input.write_all(self.line.as_bytes()).map_err(piped)?;
        self.line.clear();
        process.output.read_line(&mut self.line).map_err(piped)?;
        let action = self.line.trim_end().parse().map_err(piped)?;
        Ok(Answer { action, fuel: 0 })
    }
}

/// The other side of the pipes: a native bot that is asked by lines and answers with lines.
///
/// # Errors
/// Of the pipes.
pub fn serve(make: Make, input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
    let mut bot = None;
    for line in input.lines() {
        let line = line?;
        let bad = || std::io::Error::other(format!("not understood: {line}"));
        let mut words = line.split(' ');
        match (words.next(), &mut bot) {
            (Some("start"), bot) => {
                let mut number = || words.next().and_then(|word| word.parse::<u64>().ok()).ok_or_else(bad);
                *bot = Some(make(number()? as u32, number()? as u32, number()?));
            }
            (Some(decision), Some(bot)) => {
                let decision = decision.parse().map_err(|_| bad())?;
                let view = HEXLOWER.decode(words.next().unwrap_or_default().as_bytes()).map_err(|_| bad())?;
                writeln!(output, "{}", bot.decide(decision, &view))?;
                output.flush()?;
            }
            _ => return Err(bad()),
        }
    }
    Ok(())
}
