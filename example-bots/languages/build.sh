#!/usr/bin/env bash
# Makes a bot of every language but Rust and for every game with `arena new`, builds it as its README says, and puts it
# into ../wasm/languages/<game>/<language>.wasm (or below the folder given as the only argument), with a hash of the sources.
#
# Needs the program arena (built here with cargo, or named by ARENA), and
#   C               apt-get install clang lld
#   AssemblyScript  Node.js 20 or later with npm
#   Zig             apt-get install python3-venv; the compiler comes from PyPI
#   wat             Node.js with npm
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
out=${1:-$here/../wasm/languages}
need() {
    command -v "$1" >/dev/null || { echo "build.sh: there is no $1; $2" >&2; exit 1; }
}
need clang "install it: apt-get install clang lld"
need wasm-ld "install it: apt-get install clang lld"
need npm "install Node.js 20 or later with npm: https://nodejs.org"
need python3 "install it: apt-get install python3-venv"
python3 -c 'import ensurepip' 2>/dev/null || { echo "build.sh: python3 makes no venv; apt-get install python3-venv" >&2; exit 1; }

if [ -z "${ARENA:-}" ]; then
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" --package arena
    ARENA=$root/target/release/arena
fi
work=$root/target/languages
for game in $("$ARENA" games | sed -n 's/^\([a-z-]*\) (.*/\1/p'); do
    for language in c assemblyscript zig wat; do
        # A language need not have a bot for every game.
        ls "$here/$language/$game".* >/dev/null 2>&1 || continue
        echo "$language: $game"
        # All games of a language in one folder, so that its compiler is fetched once.
        project=$work/$language
        rm -rf "$work/new" "$project/bot.wasm"
        mkdir -p "$work/new" "$project"
        "$ARENA" new "$work/new/$language" --game "$game" --lang "$language" >/dev/null
        cp -R "$work/new/$language/." "$project"
        (cd "$project" && sed -n '/^    arena check/q; s/^    //p' README.md | bash -euo pipefail)
        mkdir -p "$out/$game"
        cp "$project/bot.wasm" "$out/$game/$language.wasm"
        chmod 644 "$out/$game/$language.wasm"
    done
done
"$here/sources.sh" > "$out/SOURCES.sha256"
echo "built $(find "$out" -name '*.wasm' | wc -l) bots into $out"
