//! Limits on single functions.

use super::contents::Contents;
use super::function::Function;
use crate::ids::escaped;
use crate::sandbox::Limits;
use crate::sandbox::problem::Problem;

/// A limit on functions: its code, what is too much, the limit, how much a function has, and what makes it so.
struct Rule {
    code: &'static str,
    key: &'static str,
    what: &'static str,
    limit: u32,
    measure: fn(&Function) -> u64,
    cause: &'static str,
}

fn rules(limits: &Limits) -> [Rule; 5] {
    [
        Rule {
            code: "limit:function",
            key: "function_bytes",
            what: "bytes",
            limit: limits.function_bytes,
            measure: |function| function.bytes,
            cause: "inlined calls and tables that are filled by code make large ones; constant tables stand in data segments",
        },
        Rule {
            code: "limit:locals",
            key: "locals",
            what: "locals",
            limit: limits.locals,
            measure: |function| function.locals,
            cause: "inlined calls and builds without optimisation make many",
        },
        Rule {
            code: "limit:nesting",
            key: "nesting",
            what: "levels of blocks in one another",
            limit: limits.nesting,
            measure: |function| function.depth,
            cause: "a large switch or match makes one for each of its cases; a table of values or of functions makes none, \
                    and a switch in two halves makes half as many",
        },
        Rule {
            code: "limit:loops",
            key: "loops",
            what: "loops",
            limit: limits.loops,
            measure: |function| function.loops,
            cause: "unrolled and inlined loops make many; several functions may have more",
        },
        Rule {
            code: "limit:jump_targets",
            key: "jump_targets",
            what: "targets in a jump table",
            limit: limits.jump_targets,
            measure: |function| function.targets,
            cause: "a switch or match over a wide range of numbers makes them; a table of values or of functions makes none",
        },
    ]
}

/// One problem a limit: the function that is furthest above it, and how many others are.
pub(super) fn check(contents: &Contents<'_>, limits: &Limits, problems: &mut Vec<Problem>) {
    for Rule { code, key, what, limit, measure, cause } in rules(limits) {
        let above = (contents.imported_functions..).zip(contents.bodies.iter().map(measure));
        let above = above.filter(|&(_, count)| count > limit.into());
        // The first of several that are equal.
        let Some((index, count)) = above.clone().min_by_key(|&(_, count)| std::cmp::Reverse(count)) else { continue };
        let name = contents.name_of(index).map_or(String::new(), |name| format!(" `{}`", escaped(name, 60)));
        let others = match above.count() - 1 {
            0 => String::new(),
            1 => " (as has 1 other function)".into(),
            others => format!(" (as have {others} other functions)"),
        };
        let message = format!(
            "function {index}{name} has {count} {what}, above the limit of {limit} (limits.{key}){others}: {cause}"
        );
        problems.push(Problem::new(code, message));
    }
}
