#!/bin/sh
# Finds out whether this machine is the one that runs the service: it has the address that everybody was told.
set -u
ROOT=${ROOT:-}
# shellcheck source=common.sh
. "$ROOT/usr/local/bin/common.sh"

settings=/etc/assisted/rendezvous-host.env
until [ -e "$ROOT$settings" ]; do
    log "waiting for $settings"
    sleep 5
done
address=$(env_value "$settings" NODE_ZERO_IP)

# find_mac: sets $mac to that of the interface with the address.
find_mac() {
    mac=$(ip -json address show |
        jq -r --arg address "$address" '[.[] | select(any(.addr_info[]?; .local == $address)) | .address][0] // empty')
    [ -n "$mac" ]
}

seconds=0
until find_mac; do
    if [ "$seconds" -ge 30 ]; then
        log "$address belongs to another machine"
        set_issue 60-node-zero "The service of the installation is expected at $address, on another machine"
        exit 0
    fi
    sleep 1
    seconds=$((seconds + 1))
done
log "$address belongs to this machine: the service runs here"
set_issue 60-node-zero "This machine, $address, runs the service of the installation"
printf 'BOOTSTRAP_HOST_MAC=%s\n' "$mac" >"$ROOT/etc/assisted/node0"
