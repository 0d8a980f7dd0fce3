//! CSV: two sides and a result, or event, participant and placement.

use std::collections::{BTreeMap, HashSet};

use super::columns::{Columns, Role};
use super::score::{self, Parsed};
use super::{Import, ImportError};
use crate::ids::escaped;

pub(super) fn read(import: &mut Import, file: &str, text: &str, columns: &Columns) -> Result<(), ImportError> {
    let error = |reason: String| ImportError { file: file.to_owned(), reason };
    let mut reader = ::csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|bad| error(format!("failed to read its header: {bad}")))?.clone();
    let header: Vec<&str> = header.iter().map(str::trim).collect();
    let found = columns.find(&header).map_err(&error)?;
    let has = |roles: &[Role]| roles.iter().all(|role| found.contains_key(role));
    let sides =
        has(&[Role::First, Role::Second]) && (has(&[Role::Result]) || has(&[Role::FirstScore, Role::SecondScore]));
    let placed = has(&[Role::Event, Role::Participant, Role::Placement]);
    let listed = header.iter().map(|name| escaped(name, 40)).collect::<Vec<_>>().join(", ");
    if sides == placed {
        let reason = if sides {
            "its columns may be matches of two sides as well as placements; say which with --columns"
        } else {
            "its columns are not understood; say with --columns which are first, second and result (or first-score and \
             second-score), or event, participant and placement"
        };
        return Err(error(format!("{reason}. There are {listed}")));
    }
    let mut used: Vec<Role> = match (placed, has(&[Role::Result])) {
        (true, _) => vec![Role::Event, Role::Participant, Role::Placement],
        (false, true) => vec![Role::First, Role::Second, Role::Result],
        (false, false) => vec![Role::First, Role::Second, Role::FirstScore, Role::SecondScore],
    };
    if has(&[Role::Cluster]) {
        used.push(Role::Cluster);
    }
    let taken: Vec<_> =
        used.iter().map(|role| format!("{} is {}", escaped(header[found[role]], 40), role.name())).collect();
    let unit = match (has(&[Role::Cluster]), placed) {
        (true, _) => "rows of one cluster are one observation",
        (false, true) => "each event is one observation",
        (false, false) => "each match is one observation",
    };
    import.notes.push(format!("{file}: {}; {unit}.", taken.join(", ")));

    let mut rows = Rows { import, file, text, width: header.len(), columns: found };
    if placed {
        rows.placements(reader)
    } else {
        rows.matches(reader)
    }
    Ok(())
}

struct Rows<'a> {
    import: &'a mut Import,
    file: &'a str,
    text: &'a str,
    width: usize,
    columns: BTreeMap<Role, usize>,
}

impl Rows<'_> {
    /// Calls `each` with every whole row and its line.
    fn each(&mut self, mut reader: ::csv::Reader<&[u8]>, mut each: impl FnMut(&mut Self, &::csv::StringRecord, u64)) {
        for record in reader.records() {
            match record {
                Ok(record) => {
                    let line = record.position().map_or(0, |position| self.line(position));
                    if record.len() != self.width {
                        let reason = format!("{} fields, and the header has {}", record.len(), self.width);
                        self.import.refuse(self.file, line, reason);
                    } else {
                        each(self, &record, line);
                    }
                }
                Err(bad) => {
                    let line = bad.position().map_or(0, |position| self.line(position));
                    self.import.refuse(self.file, line, bad.to_string());
                }
            }
        }
    }

    /// The line of a record. The reader's own is that of the empty lines before it.
    fn line(&self, position: &::csv::Position) -> u64 {
        let rest = self.text.get(position.byte() as usize..).unwrap_or("").bytes();
        let empty = rest.take_while(|byte| matches!(byte, b'\r' | b'\n')).filter(|&byte| byte == b'\n');
        position.line() + empty.count() as u64
    }

    fn field<'r>(&self, record: &'r ::csv::StringRecord, role: Role) -> &'r str {
        self.columns.get(&role).and_then(|&at| record.get(at)).unwrap_or("").trim()
    }

    /// Observations of different files are different.
    fn cluster(&self, record: &::csv::StringRecord, line: u64) -> String {
        match self.columns.contains_key(&Role::Cluster) {
            true => format!("{}\n{}", self.file, self.field(record, Role::Cluster)),
            false => format!("{}\n{line}", self.file),
        }
    }

    fn matches(&mut self, reader: ::csv::Reader<&[u8]>) {
        self.each(reader, |rows, record, line| {
            let by_result = rows.columns.contains_key(&Role::Result);
            let (parsed, shown) = if by_result {
                let text = rows.field(record, Role::Result);
                (score::result(text), text.to_owned())
            } else {
                let (first, second) = (rows.field(record, Role::FirstScore), rows.field(record, Role::SecondScore));
                (score::scores(first, second), format!("{first}, {second}"))
            };
            match parsed {
                Parsed::Unfinished => rows.import.unfinished += 1,
                Parsed::Unknown => {
                    let reason = format!("the result \"{}\" is not understood", escaped(&shown, 60));
                    rows.import.refuse(rows.file, line, reason);
                }
                Parsed::Score(score) => {
                    let sides = [rows.field(record, Role::First), rows.field(record, Role::Second)];
                    let cluster = rows.cluster(record, line);
                    rows.import.add_match((rows.file, line), sides, score, cluster);
                }
            }
        });
    }

    fn placements(&mut self, reader: ::csv::Reader<&[u8]>) {
        /// An event's cluster, the line that it begins on, and who came in at which place.
        type Placed = (String, u64, Vec<(String, u32)>);
        let mut events: BTreeMap<String, Placed> = BTreeMap::new();
        let mut named: HashSet<(String, String)> = HashSet::new();
        self.each(reader, |rows, record, line| {
            let [event, participant, placement] =
                [Role::Event, Role::Participant, Role::Placement].map(|role| rows.field(record, role));
            if event.is_empty() || participant.is_empty() {
                return rows.import.refuse(rows.file, line, "an event and a participant are wanted");
            }
            let Some(placement) = placement.parse::<u32>().ok().filter(|&placement| placement > 0) else {
                let reason = format!("\"{}\" is no placement; 1, 2, … are", escaped(placement, 60));
                return rows.import.refuse(rows.file, line, reason);
            };
            if !named.insert((event.to_owned(), participant.to_owned())) {
                let reason = format!("{} is in {} already", escaped(participant, 60), escaped(event, 60));
                return rows.import.refuse(rows.file, line, reason);
            }
            let cluster = match rows.columns.contains_key(&Role::Cluster) {
                true => rows.cluster(record, line),
                false => format!("{}\n{event}", rows.file),
            };
            let entry = events.entry(event.to_owned()).or_insert_with(|| (cluster, line, Vec::new()));
            entry.2.push((participant.to_owned(), placement));
        });
        for (event, (cluster, line, placed)) in events {
            if placed.len() < 2 {
                let reason = format!("{} has one participant only", escaped(&event, 60));
                self.import.refuse(self.file, line, reason);
            } else {
                self.import.add_event(cluster, &placed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::*;
    use crate::rating::Evidence;

    fn import(text: &str) -> Import {
        let mut import = Import::default();
        import.add_text("f.csv", text, Format::Csv, &Columns::default()).unwrap();
        import
    }

    #[test]
    fn quotes_a_mark_at_the_start_and_dashes_are_read() {
        let import =
            import("\u{feff}Home,Away,Result\r\n\"Ann, the 1st\",\"B \"\"b\"\"\",2–1\r\nC,\"Ann, the 1st\",*\r\n");
        assert_eq!(import.names, ["Ann, the 1st", "B \"b\""]);
        assert_eq!((import.taken, import.unfinished, import.bad.len()), (1, 1, 0));
        assert_eq!(import.evidence().pairs()[0].points_a, 1.0);
        assert_eq!(
            import.notes,
            ["f.csv: Home is first, Away is second, Result is result; each match is one observation."]
        );
    }

    #[test]
    fn bad_rows_are_told_by_line() {
        let import = import("home,away,result\na,b,1-0\na,b\na,a,1-0\n\na,b,2-1 aet\n,b,1-0\n");
        let told: Vec<_> = import.bad.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "f.csv:3: 2 fields, and the header has 3",
                "f.csv:4: a plays itself",
                "f.csv:6: the result \"2-1 aet\" is not understood",
                "f.csv:7: a side has no name"
            ]
        );
        assert_eq!(import.taken, 1);
    }

    #[test]
    fn placements_are_grouped_by_event() {
        let import = import("event,bot,place\nx,a,1\ny,a,2\nx,b,2\ny,b,1\nx,a,3\nz,a,1\nx,c,last\n");
        let told: Vec<_> = import.bad.iter().map(|bad| bad.line).collect();
        assert_eq!((import.taken, told), (2, vec![6, 8, 7]));
        assert!(import.has_placements() && !import.has_sides());
    }

    #[test]
    fn columns_that_may_be_two_things_are_refused() {
        let mut import = Import::default();
        let mut add = |text: &str| import.add_text("f", text, Format::Csv, &Columns::default()).unwrap_err().reason;
        assert!(add("home,away,result,event,player,place\n").contains("as well as placements"));
        assert!(add("x,y\n").contains("not understood") && add("x,y\n").contains("There are x, y"));
    }
}
