#!/usr/bin/env bash
# Prints one SHA-256 over all that the bots of other languages than Rust are built from. A test compares it with
# ../wasm/languages/SOURCES.sha256.
set -euo pipefail
cd "$(dirname "$0")/../.."
find bot-sdk/{c,assemblyscript,zig} example-bots/languages/{c,assemblyscript,zig,wat} -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d' ' -f1
