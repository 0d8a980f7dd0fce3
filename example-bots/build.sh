#!/usr/bin/env bash
# Builds every example bot from source into wasm/<game>/<bot>.wasm beside this script (or into the folder given as
# the only argument), with a hash of the sources.
#
# Uses the rustup target where it is installed:   rustup target add wasm32-unknown-unknown
# else Debian's packages, building the core library: apt-get install rustc-web cargo-web rust-web-src
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/wasm}
cd "$here"
target=wasm32-unknown-unknown
build=(build --locked --package example-bots --examples --features wasm --profile bot --target "$target"
       --target-dir "$here/../target/bots")

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

# A target is named game__bot; cargo's own copies have a hash behind a dash.
for file in "$here"/../target/bots/$target/bot/examples/*__*.wasm; do
    name=$(basename "$file" .wasm)
    [ "$name" = "${name%-*}" ] || continue
    game=$(echo "${name%%__*}" | tr _ -)
    mkdir -p "$out/$game"
    cp "$file" "$out/$game/${name#*__}.wasm"
    chmod 644 "$out/$game/${name#*__}.wasm"
done
./sources.sh > "$out/SOURCES.sha256"
echo "built $(find "$out" -name '*.wasm' | wc -l) bots into $out"
