#!/bin/sh
# Runs `npx graphlib`, the command line, on the Node that runs the server. Without `--`, Node itself would take the
# --env-file that is meant for the command.
root=$(dirname "$(readlink -f "$0")")/../..
node=$root/node_modules/node/bin/node
if [ ! -x "$node" ]; then
  echo "The packages of Graphlib are not installed: run npm start, or npm ci, in its folder first." >&2
  exit 1
fi
exec "$node" -- "$root/lib/cli/main.ts" "$@"
