#!/bin/sh
# Takes the program that registers this machine out of its image.
set -u
ROOT=${ROOT:-}
# shellcheck source=release-image.sh
. "$ROOT/usr/local/bin/release-image.sh"

image=$(image_for agent-installer-node-agent) || exit 1
mkdir -p "$ROOT/run/agent-installer" || exit 1
container=$(podman create --quiet --authfile "$AUTH_FILE" "$image") || exit 1
podman cp "$container:/usr/bin/agent" "$ROOT/usr/local/bin/agent"
status=$?
podman rm --force "$container" >/dev/null
[ "$status" = 0 ] || exit 1
printf '%s\n' "$image" >"$ROOT/run/agent-installer/agent-image"
