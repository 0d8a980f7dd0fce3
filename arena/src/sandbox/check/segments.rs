//! Segments that are copied into the memory and the table when an instance is made: they must fit into both as they
//! begin. One that does not makes every start of an instance fail.

use super::contents::{Contents, Segment};
use crate::sandbox::problem::Problem;
use crate::words::counted;

pub(super) fn check(contents: &Contents<'_>, problems: &mut Vec<Problem>) {
    if let Some(memory) = contents.memories.first() {
        let bytes = memory.initial.saturating_mul(65_536);
        let pages = counted(memory.initial, "page", "pages");
        let begins = format!("the memory begins with {bytes} bytes ({pages} of 64 KiB)");
        report("data segment", "bytes", &contents.data.iter().collect::<Vec<_>>(), bytes, &begins, problems);
    }
    for (index, table) in (0..).zip(&contents.tables) {
        let segments = contents.elements.iter().filter(|(table, _)| *table == index).map(|(_, segment)| segment);
        let begins = format!("the table begins with {} elements", table.initial);
        report("element segment", "elements", &segments.collect::<Vec<_>>(), table.initial, &begins, problems);
    }
}

fn report(what: &str, unit: &str, segments: &[&Segment], room: u64, begins: &str, problems: &mut Vec<Problem>) {
    let end = |segment: &Segment| segment.offset.map(|offset| u64::from(offset) + u64::from(segment.length));
    let mut outside = segments.iter().filter(|segment| end(segment).is_some_and(|end| end > room));
    let Some(first) = outside.next() else { return };
    let (index, offset, length) = (first.index, first.offset.unwrap_or_default(), first.length);
    let others = match outside.count() {
        0 => String::new(),
        1 => ", nor does 1 other".into(),
        others => format!(", nor do {others} others"),
    };
    let message = format!(
        "{what} {index} does not fit: it puts {length} {unit} at {offset}, and {begins}{others}; begin with more, or put \
         it lower"
    );
    problems.push(Problem::new("segment", message));
}
