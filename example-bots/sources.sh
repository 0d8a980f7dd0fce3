#!/usr/bin/env bash
# Prints one SHA-256 over all that the example bots are built from. A test compares it with wasm/SOURCES.sha256.
set -euo pipefail
cd "$(dirname "$0")/.."
{ find bot-sdk/src example-bots -path example-bots/languages -prune -o -name '*.rs' -print; echo .cargo/config.toml; echo example-bots/Cargo.toml; } | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d' ' -f1
