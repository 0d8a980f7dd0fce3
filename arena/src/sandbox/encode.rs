//! Numbers as the WebAssembly format has them.

/// A number as an unsigned LEB128.
pub(super) fn leb128(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A number that is not negative as a signed LEB128: one more group of bits than [`leb128`] needs where its last has the
/// sign's bit set.
pub(super) fn signed_leb128(code: &mut Vec<u8>, number: u64) {
    // Limits are far below 2^31: no memory or table of 32 bits is larger.
    let mut number = number.min(0x7fff_ffff);
    while number >= 0x40 {
        code.push(number as u8 & 0x7f | 0x80);
        number >>= 7;
    }
    code.push(number as u8);
}
