//! What is changed in a checked module before it is compiled.
//!
//! Functions pay for their frames ([`frame`](super::frame)), growing beyond a limit is refused before it is paid for
//! ([`growth`](super::growth)), and the globals that an instance can change are exported, so that the host can set them back
//! ([`reset`](super::reset)). Custom sections are left out: nobody reads them any more. Nothing of it changes what a bot
//! answers, but by the fuel that it has.

use wasmparser::{BinaryReader, ExternalKind, FromReader, Parser, Payload};

use super::Limits;
use super::encode::leb128;
use super::frame::{NOP, nops};
use super::growth::Growth;
use super::shape::ModuleShape;

const EXPORT_SECTION: u8 = 7;
const CODE_SECTION: u8 = 10;

/// A checked module as it is compiled.
pub(super) struct Rewritten {
    bytes: Vec<u8>,
    globals: Option<Vec<String>>,
}

impl Rewritten {
    /// The module's bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The names under which its mutable globals are exported, if an instance can be reset at all.
    pub(super) fn globals(&self) -> Option<&[String]> {
        self.globals.as_deref()
    }

    /// Rewrites a module that passed the check of these limits.
    pub(super) fn new(module: &[u8], limits: &Limits) -> wasmparser::Result<Rewritten> {
        let shape = ModuleShape::read(module)?;
        let mut growth = Growth::new(limits);
        let mut function = shape.imported();
        let exported = shape.mutable_globals();
        let mut out = module[..8].to_vec();
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload?;
            match &payload {
                Payload::CodeSectionStart { count, .. } => leb128(&mut bodies, *count as usize),
                Payload::CodeSectionEntry(body) => {
                    let (locals, code) = growth.bound(module, body, shape.parameters(function))?;
                    function += 1;
                    let nops = nops(body, &shape)?;
                    leb128(&mut bodies, locals.len() + nops + code.len());
                    bodies.extend_from_slice(&locals);
                    bodies.resize(bodies.len() + nops, NOP);
                    bodies.extend_from_slice(&code);
                    continue;
                }
                Payload::MemorySection(section) => growth.memories(section.clone())?,
                Payload::TableSection(section) => growth.tables(section.clone())?,
                _ => {}
            }
            // The code is written before whatever follows it.
            if !matches!(payload, Payload::CodeSectionStart { .. }) && !bodies.is_empty() {
                section(&mut out, CODE_SECTION, &std::mem::take(&mut bodies));
            }
            match payload.as_section() {
                Some((CODE_SECTION | 0, _)) | None => {}
                Some((EXPORT_SECTION, range)) => {
                    section(
                        &mut out,
                        EXPORT_SECTION,
                        &exports(&module[range], exported.as_deref().unwrap_or_default())?,
                    );
                }
                Some((id, range)) => section(&mut out, id, &module[range]),
            }
        }
        let globals = exported.map(|globals| globals.into_iter().map(|(name, _)| name).collect());
        Ok(Rewritten { bytes: out, globals })
    }
}

/// An export section with further globals.
fn exports(section: &[u8], globals: &[(String, u32)]) -> wasmparser::Result<Vec<u8>> {
    let mut reader = BinaryReader::new(section, 0);
    let count = u32::from_reader(&mut reader)? as usize;
    let mut out = Vec::new();
    leb128(&mut out, count + globals.len());
    out.extend_from_slice(&section[reader.original_position()..]);
    for (name, index) in globals {
        leb128(&mut out, name.len());
        out.extend_from_slice(name.as_bytes());
        out.push(GLOBAL);
        leb128(&mut out, *index as usize);
    }
    Ok(out)
}

/// The kind of an exported global, as the format has it.
const GLOBAL: u8 = 3;
const _: () = assert!(ExternalKind::Global as u8 == GLOBAL);

fn section(out: &mut Vec<u8>, id: u8, contents: &[u8]) {
    out.push(id);
    leb128(out, contents.len());
    out.extend_from_slice(contents);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rewritten_is_valid_and_says_the_same() {
        let module = wat::parse_str(
            r#"(module
                (memory (export "memory") 1) (global (mut i32) (i32.const 7)) (global i32 (i32.const 8))
                (global (export "g") (mut f64) (f64.const 1))
                (table 1 funcref) (elem (i32.const 0) $f)
                (func $f (export "f") (param i32 v128) (result i32) (local f64) (call $f (local.get 0) (local.get 1)))
                (data (i32.const 0) "text") (@custom "x" "y"))"#,
        );
        let module = module.unwrap();
        let rewritten = Rewritten::new(&module, &Limits::default()).unwrap();
        wasmparser::Validator::new().validate_all(rewritten.bytes()).unwrap();
        assert_eq!(rewritten.globals().unwrap().len(), 2);
        let engine = wasmtime::Engine::default();
        let names = |bytes: &[u8]| {
            let module = wasmtime::Module::new(&engine, bytes).unwrap();
            module.exports().map(|export| export.name().to_owned()).collect::<Vec<_>>()
        };
        let (before, after) = (names(&module), names(rewritten.bytes()));
        assert_eq!(after[..before.len()], before);
        assert_eq!(after[before.len()..], *rewritten.globals().unwrap());
        // Twice is more: the names are taken, and are left alone.
        let twice = Rewritten::new(rewritten.bytes(), &Limits::default()).unwrap();
        assert_eq!(twice.globals(), None);
        assert_eq!(names(twice.bytes()), after);
    }
}
