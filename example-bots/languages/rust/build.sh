#!/usr/bin/env bash
# Builds bot.wasm.
#
# Uses the rustup target where it is installed:   rustup target add wasm32-unknown-unknown
# else Debian's packages, building the core library: apt-get install rustc-web cargo-web rust-web-src
set -euo pipefail
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
build=(build --release --target "$target" --target-dir target)
sysroot=$(rustc --print sysroot)
if [ -d "$sysroot/lib/rustlib/$target" ]; then
    cargo "${build[@]}"
elif [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library" ]; then
    lld=$(find "$sysroot" "$(/usr/bin/rustc --print sysroot)" -name rust-lld -type f -print -quit 2>/dev/null)
    [ -n "$lld" ] || lld=$(command -v rust-lld wasm-ld lld | head -n 1)
    RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$lld \
        /usr/bin/cargo "${build[@]}" -Zbuild-std=core,alloc,panic_abort
else
    echo "build.sh: no way to build for $target. Either" >&2
    echo "    rustup target add $target" >&2
    echo "or, on Debian," >&2
    echo "    apt-get install rustc-web cargo-web rust-web-src" >&2
    exit 1
fi
cp "target/$target/release/bot.wasm" bot.wasm
