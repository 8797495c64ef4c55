#!/bin/sh
# Takes the program for the console, and the library that it needs, out of their image.
set -u
ROOT=${ROOT:-}
"$ROOT/usr/local/bin/get-container-images.sh" || exit 1
image=$(sed -n 's/^AGENT_INSTALLER_UTILS_IMAGE=//p' "$ROOT/usr/local/share/assisted-service/agent-images.env")
container=$(podman create --quiet --authfile "$ROOT/root/.docker/config.json" "$image") || exit 1
tree=$(podman mount "$container") &&
    cp "$tree"/usr/lib64/libnmstate.so.* "$ROOT/usr/local/bin/" &&
    # Last: its unit waits for this one.
    cp "$tree/usr/bin/agent-tui" "$ROOT/usr/local/bin/agent-tui"
status=$?
podman rm --force "$container" >/dev/null
[ "$status" = 0 ] || exit 1
restorecon -FR "$ROOT/usr/local/bin"
