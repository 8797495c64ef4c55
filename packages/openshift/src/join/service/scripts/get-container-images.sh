#!/bin/sh
# Writes down which images the parts of the service are.
set -u
ROOT=${ROOT:-}
# shellcheck source=release-image.sh
. "$ROOT/usr/local/bin/release-image.sh"

file=$ROOT/usr/local/share/assisted-service/agent-images.env
mkdir -p "${file%/*}" || exit 1
: >"$file.new" || exit 1

while read -r name component; do
    image=$(image_for "$component" </dev/null) || exit 1
    [ -n "$image" ] || exit 1
    printf '%s=%s\n' "$name" "$image" >>"$file.new" || exit 1
done <<END
SERVICE_IMAGE agent-installer-api-server
CONTROLLER_IMAGE agent-installer-csr-approver
INSTALLER_IMAGE agent-installer-orchestrator
AGENT_DOCKER_IMAGE agent-installer-node-agent
AGENT_INSTALLER_UTILS_IMAGE agent-installer-utils
INSTALLER_UI_IMAGE agent-installer-ui
END
mv -f "$file.new" "$file"
