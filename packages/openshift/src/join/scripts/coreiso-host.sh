#!/bin/sh
# Finds out which host of the plan this machine is: the first in /etc/coreiso/hosts that has the MAC address of one of its cards.
# What the plan says of it, lines of "KEY VALUE", is kept in /run/coreiso/host, where the other scripts read it. Runs once, before
# NetworkManager makes devices that share addresses.
#
# The plan lists hosts one after the other, each begun by a line "host NAME"; MACs are in lower case. ROOT puts another tree in place
# of /. NIC_WAIT is how many seconds cards may take to appear; once one of the host's is there, the others get NIC_QUIET seconds more
# each time that any card appears.
set -fu
ROOT=${ROOT:-}
NIC_WAIT=${NIC_WAIT:-30}
NIC_QUIET=${NIC_QUIET:-5}
PATH=$ROOT/usr/local/bin:$PATH
newline='
'

log() {
    printf 'coreiso-host: %s\n' "$*"
}

# Sets $host to what the plan says of this machine, and $absent to those of its MACs that no card has.
find_host() {
    nics=$(coreiso-nics)
    macs=" $(printf '%s\n' "$nics" | sed 's/ .*//' | tr '\n' ' ')"
    host=
    absent=
    entry=
    missing=
    found=
    while read -r key value; do
        if [ "$key" = host ]; then
            [ -z "$found" ] || break
            entry=
            missing=
        fi
        entry="$entry$key $value$newline"
        case $key/$macs in
        mac/*" $value "*) found=yes ;;
        mac/*) missing="$missing $value" ;;
        esac
    done <"$ROOT/etc/coreiso/hosts"
    [ -n "$found" ] || return
    host=$entry
    absent=$missing
}

wait_for_host() {
    waited=0
    quiet=0
    find_host
    while [ -z "$host" ] || [ -n "$absent" ]; do
        [ "$waited" -lt "$NIC_WAIT" ] || return
        [ -z "$host" ] || [ "$quiet" -lt "$NIC_QUIET" ] || return
        sleep 1
        waited=$((waited + 1))
        quiet=$((quiet + 1))
        before=$nics
        find_host
        [ "$nics" = "$before" ] || quiet=0
    done
}

[ ! -e "$ROOT/run/coreiso/host" ] || exit 0
wait_for_host
if [ -z "$host" ]; then
    log "no host of the plan has a MAC address of this machine, which has:$(printf '%s' "$nics" | sed 's/^/ /' | tr -d '\n')"
    exit 0
fi
[ -z "$absent" ] || log "no card has$absent; gave up after $waited seconds"
name=${host%%"$newline"*}
log "this machine is ${name#host }"
umask 077
mkdir -p "$ROOT/run/coreiso" &&
    printf '%s' "$host" >"$ROOT/run/coreiso/host.new" &&
    mv "$ROOT/run/coreiso/host.new" "$ROOT/run/coreiso/host"
