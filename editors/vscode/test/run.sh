#!/usr/bin/env bash
# Builds the extension and runs test/host inside the extension host of a real VS Code, headless.
# Exits with 77 when VS Code, Chromium or npm's packages are not available.
set -u
here=$(cd "$(dirname "$0")" && pwd)
extension=$(dirname "$here")
root=$(cd "$extension/../.." && pwd)
vscode=${NEURO_TOOLS:-}/vscode
for need in "$vscode/ready" "$(command -v chromium)" "$(command -v npm)"; do
    [ -e "$need" ] || { echo "vscode: not installed here (NEURO_TOOLS names the folder of .ci/tools)"; exit 77; }
done
cd "$extension" || exit 1
npm ci --no-audit --no-fund --loglevel=error || { echo "vscode: npm's packages cannot be installed"; exit 77; }
npm run --silent build && npm run --silent check || exit 1
cargo build --quiet -p neurc || exit 1
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/project" && touch "$work/project/neuro.toml"
export NEURO_SERVER=${CARGO_TARGET_DIR:-$root/target}/debug/neurc
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
(cd "$vscode" && exec node node_modules/code-server/out/node/entry.js --auth none --bind-addr "127.0.0.1:$port" \
    --config "$work/config.yaml" --user-data-dir "$work/data" --extensions-dir "$work/extensions" \
    --disable-telemetry --disable-update-check --disable-workspace-trust "$work/project") >"$work/server.log" 2>&1 &
server=$!
PLAYWRIGHT=$vscode PORT=$port EXTENSION=$extension PROJECT=$work/project timeout 180 node "$here/drive.mjs"
status=$?
[ $status = 0 ] || tail -20 "$work/server.log"
exit $status
