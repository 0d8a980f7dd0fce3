//! Files that are not WebAssembly modules: what they are, and what to hand in instead.

use crate::ids::escaped;
use crate::sandbox::problem::Problem;

/// How every core module begins.
const HEADER: &[u8] = b"\0asm\x01\0\0\0";

/// Whether a file begins as a core module does.
///
/// # Errors
/// What it is instead.
pub(super) fn check_header(bytes: &[u8]) -> Result<(), Problem> {
    if bytes.starts_with(HEADER) {
        return Ok(());
    }
    Err(match bytes {
        [0, b'a', b's', b'm', version, 0, 1, 0, ..] => Problem::new(
            "component",
            format!(
                "this is a component (version {version}), not a core module: build for a core target such as \
                 wasm32-unknown-unknown, and leave out tools that make components"
            ),
        ),
        [0, b'a', b's', b'm', version @ ..] if version.len() >= 4 => {
            let version = hex(&version[..4]);
            Problem::new("malformed", format!("its format version is {version}; arena knows 01 00 00 00"))
        }
        _ => Problem::new("not-wasm", format!("not a WebAssembly module: {}", what_it_is(bytes))),
    })
}

/// Beginnings of files by which they are known, each with what they are and what would be right.
const BEGINNINGS: &[(&[u8], &str)] = &[
    (b"\x1f\x8b", "the file is compressed with gzip; unpack it and hand in the module inside"),
    (b"PK\x03\x04", "the file is a zip archive; unpack it and hand in the module inside"),
    (b"PK\x05\x06", "the file is an empty zip archive"),
    (b"\x28\xb5\x2f\xfd", "the file is compressed with zstd; unpack it and hand in the module inside"),
    (b"\xfd7zXZ\0", "the file is compressed with xz; unpack it and hand in the module inside"),
    (b"7z\xbc\xaf\x27\x1c", "the file is a 7z archive; unpack it and hand in the module inside"),
    (b"Rar!\x1a\x07", "the file is a rar archive; unpack it and hand in the module inside"),
    (b"!<arch>\n", "the file is a library of object files; link it, and hand in what the linker writes"),
    (b"BC\xc0\xde", "the file is LLVM bitcode; link it with wasm-ld, and hand in what the linker writes"),
    (b"\xcf\xfa\xed\xfe", "the file is a macOS program (Mach-O); compile the bot for WebAssembly (wasm32)"),
    (b"\xce\xfa\xed\xfe", "the file is a macOS program (Mach-O); compile the bot for WebAssembly (wasm32)"),
    (b"\xfe\xed\xfa\xcf", "the file is a macOS program (Mach-O); compile the bot for WebAssembly (wasm32)"),
    (b"\xfe\xed\xfa\xce", "the file is a macOS program (Mach-O); compile the bot for WebAssembly (wasm32)"),
    (b"%PDF-", "the file is a PDF document"),
    (b"\x89PNG", "the file is a PNG image"),
];

fn what_it_is(bytes: &[u8]) -> String {
    match bytes {
        [] => "the file is empty".into(),
        [0, b'a', b's', b'm', ..] => {
            format!("the file is cut off after {} bytes", bytes.len())
        }
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', b'&', ..] => {
            "the file is compressed with bzip2; unpack it and hand in the module inside".into()
        }
        // A text may begin with these letters too.
        [b'M', b'Z', ..] if text(bytes).is_none() => {
            "the file is a Windows program (PE); compile the bot for WebAssembly (wasm32)".into()
        }
        // The engine marks its code by the byte that names the operating system.
        [0x7f, b'E', b'L', b'F', _, _, _, 200, ..] => {
            "the file is code that wasmtime precompiled (.cwasm); hand in the module that it was made from".into()
        }
        [0x7f, b'E', b'L', b'F', _, _, _, _, _, _, _, _, _, _, _, _, 1, 0, ..] => {
            "the file is a native object file (ELF); compile the bot for WebAssembly (wasm32)".into()
        }
        [0x7f, b'E', b'L', b'F', ..] => {
            "the file is a native program (ELF); compile the bot for WebAssembly (wasm32)".into()
        }
        // Both have these four bytes; then one has a version above 44, the other its number of architectures.
        [0xca, 0xfe, 0xba, 0xbe, _, _, _, number, ..] if *number > 44 => {
            "the file is a Java class; compile the bot for WebAssembly (wasm32)".into()
        }
        [0xca, 0xfe, 0xba, 0xbe, ..] => {
            "the file is a macOS program (Mach-O); compile the bot for WebAssembly (wasm32)".into()
        }
        _ if bytes.get(257..262) == Some(b"ustar") => {
            "the file is a tar archive; unpack it and hand in the module inside".into()
        }
        _ => match BEGINNINGS.iter().find(|(beginning, _)| bytes.starts_with(beginning)) {
            Some((_, what)) => (*what).into(),
            None => match text(bytes) {
                Some(text) => of_text(text, bytes.len()),
                None => format!(
                    "the file begins with {}; a module begins with 00 61 73 6d",
                    hex(&bytes[..bytes.len().min(4)])
                ),
            },
        },
    }
}

fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.join(" ")
}

/// The beginning of a file that is text, in UTF-8 or in UTF-16, of which no more is read than that it is text.
fn text(bytes: &[u8]) -> Option<&str> {
    const ENOUGH: usize = 4096;
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some("");
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let beginning = &bytes[..bytes.len().min(ENOUGH)];
    let text = match std::str::from_utf8(beginning) {
        Ok(text) => text,
        // A character may be cut in two where the beginning ends.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&beginning[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let is_text = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{c}' | '\u{1b}');
    (!text.is_empty() && text.chars().all(is_text)).then_some(text)
}

fn of_text(text: &str, length: usize) -> String {
    let code = text.trim_start();
    let folded = code.get(..code.len().min(16)).unwrap_or(code).to_ascii_lowercase();
    if text.starts_with("version https://git-lfs.github.com/spec/") {
        let size = text.lines().find_map(|line| line.strip_prefix("size ")?.parse::<u64>().ok());
        let of = size.map_or(String::new(), |size| format!(" of {size} bytes"));
        return format!(
            "the file is a Git LFS pointer to the module{of}, not the module itself; `git lfs pull` fetches it"
        );
    }
    if folded.starts_with("<!doctype html") || folded.starts_with("<html") {
        return "the file is an HTML page, as a server sends in place of a file that it does not have; download the \
                module again"
            .into();
    }
    if without_comments(code).starts_with("(module") {
        return "the file is WebAssembly text; assemble it (`wat2wasm bot.wat -o bot.wasm`) and hand in the result"
            .into();
    }
    if code.starts_with("AGFzbQ") {
        return "the file is a module in base64; decode it (`base64 -d`) and hand in the result".into();
    }
    let line = code.lines().next().unwrap_or_default();
    let begins = if line.is_empty() { String::new() } else { format!(", which begins with \"{}\"", escaped(line, 40)) };
    format!("the file is text of {length} bytes{begins}; hand in the module (.wasm) that the compiler writes")
}

/// Text without the comments of WebAssembly text that it begins with.
fn without_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let end = match text {
            _ if text.starts_with(";;") => "\n",
            _ if text.starts_with("(;") => ";)",
            _ => return text,
        };
        text = text.split_once(end).map_or("", |(_, rest)| rest);
    }
}

/// What may have happened to a file that begins as a module does and is none.
pub(super) fn damage(bytes: &[u8], is_valid: impl Fn(&[u8]) -> bool) -> Option<&'static str> {
    const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();
    // A few may be a bot's own text.
    let replaced = bytes.windows(3).filter(|window| *window == REPLACEMENT).count();
    if replaced > 8 && replaced * 50 > bytes.len() {
        return Some("it was read and written as text on its way, which destroys it; send it as a binary file");
    }
    if bytes.windows(2).any(|window| window == b"\r\n") {
        let mut restored = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(at) = rest.windows(2).position(|window| window == b"\r\n") {
            restored.extend_from_slice(&rest[..at]);
            rest = &rest[at + 1..];
        }
        restored.extend_from_slice(rest);
        if is_valid(&restored) {
            return Some(
                "its line ends were rewritten on its way (0a became 0d 0a); send it as a binary file, in Git with \
                 `*.wasm binary` in .gitattributes",
            );
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_a_module_is_named_for_what_it_is() {
        let tar = [&[b'x'; 257][..], b"ustar\x0000"].concat();
        let elf = |system: u8, kind: u8| {
            let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
            bytes.extend([system, 0, 0, 0, 0, 0, 0, 0, 0, kind, 0, 0, 0]);
            bytes
        };
        let cases: &[(&[u8], &str)] = &[
            (b"", "the file is empty"),
            (b"\0asm\x01\0", "cut off after 6 bytes"),
            (b"<!DOCTYPE html><html>", "an HTML page"),
            (b"\n  <HTML>", "an HTML page"),
            (
                b"version https://git-lfs.github.com/spec/v1\noid sha256:8b\nsize 1538\n",
                "a Git LFS pointer to the module of 1538 bytes",
            ),
            (b";; a bot\n(; of \n mine ;) (module $m (memory 1))", "WebAssembly text"),
            (b"(module)", "WebAssembly text"),
            (b"AGFzbQEAAAA=", "base64"),
            (b"#!/bin/sh\necho", "text of 14 bytes, which begins with \"#!/bin/sh\""),
            (b"\xff\xfeh\0i\0", "the file is text of 6 bytes; hand in"),
            ("\u{feff}hä".as_bytes(), "text of 6 bytes, which begins with \"hä\""),
            (b"\x1f\x8b\x08", "gzip"),
            (b"PK\x03\x04", "zip archive"),
            (b"\x28\xb5\x2f\xfd\0", "zstd"),
            (b"\xfd7zXZ\0\0", "xz"),
            (b"BZh91AY&SY\x9c", "bzip2"),
            (b"BZh is no archive", "the file is text"),
            (b"MZ, a story", "the file is text"),
            (b"!<arch>\n", "library of object files"),
            (b"BC\xc0\xde", "LLVM bitcode"),
            (b"MZ\x90\0", "Windows program (PE)"),
            (b"\xcf\xfa\xed\xfe\x07", "macOS program (Mach-O)"),
            (b"\xca\xfe\xba\xbe\0\0\0\x02", "macOS program (Mach-O)"),
            (b"\xca\xfe\xba\xbe\0\0\0\x41", "Java class"),
            (b"\0\x01\x02\x03\x04", "begins with 00 01 02 03"),
        ];
        let own = [
            (tar, "tar archive"),
            (elf(200, 0), "wasmtime precompiled (.cwasm)"),
            (elf(0, 1), "object file (ELF)"),
            (elf(0, 2), "native program (ELF)"),
        ];
        let own = own.iter().map(|(bytes, says)| (bytes.as_slice(), *says));
        for (bytes, says) in cases.iter().copied().chain(own) {
            let problem = check_header(bytes).unwrap_err();
            assert_eq!(problem.code, "not-wasm", "{problem}");
            assert!(problem.message.contains(says), "{says}: {problem}");
        }
    }

    #[test]
    fn other_versions_and_components_are_told_apart() {
        assert_eq!(check_header(b"\0asm\x01\0\0\0").map_err(|problem| problem.code), Ok(()));
        assert_eq!(check_header(b"\0asm\x0d\0\x01\0").unwrap_err().code, "component");
        let problem = check_header(b"\0asm\x02\0\0\0").unwrap_err();
        assert_eq!((problem.code, problem.message.contains("02 00 00 00")), ("malformed", true));
    }

    #[test]
    fn text_of_a_file_cannot_steer_a_terminal() {
        let problem = check_header(b"\x1b[2Jhello").unwrap_err();
        assert!(problem.message.contains("\\u{1b}[2Jhello"), "{problem}");
    }

    #[test]
    fn a_module_that_went_through_a_text_channel_is_known() {
        let module = wat::parse_str("(module (func (drop (i32.const 10)) (drop (i32.const 10))))").unwrap();
        let is_valid = |bytes: &[u8]| wasmparser::validate(bytes).is_ok();
        assert!(module.contains(&b'\n'));
        let mut rewritten = Vec::new();
        for &byte in &module {
            if byte == b'\n' {
                rewritten.push(b'\r');
            }
            rewritten.push(byte);
        }
        assert!(damage(&rewritten, is_valid).unwrap().contains("line ends"));
        let bytes: Vec<u8> = module.iter().copied().chain((0x80..=0xff).cycle().take(300)).collect();
        let read = String::from_utf8_lossy(&bytes).into_owned();
        assert!(damage(read.as_bytes(), is_valid).unwrap().contains("as text"));
        assert_eq!(damage(&module[..module.len() - 3], is_valid), None);
    }
}
