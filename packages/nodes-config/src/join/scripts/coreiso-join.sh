#!/bin/sh
# Makes this machine a worker: checks what it needs, writes the system to its disk, reboots. Every check prints its verdict; nothing
# is written unless all have passed, and a failure concerns this machine only.
#
# /etc/coreiso/join has the settings, "KEY VALUE" each. ROOT puts another tree in place of /; TRIES and PAUSE say how often, and
# after how many seconds, something on the network is tried again.
set -fu
ROOT=${ROOT:-}
TRIES=${TRIES:-12}
PAUSE=${PAUSE:-5}
PATH=$ROOT/usr/local/bin:$PATH
directory=$ROOT/etc/coreiso
failures=0

say() {
    printf 'coreiso-join: %s\n' "$*"
}

pass() {
    say "pass: $*"
}

fail() {
    say "FAIL: $*"
    failures=$((failures + 1))
}

stop() {
    say "$*"
    say 'nothing was written; this machine stays in the live system'
    exit 1
}

# Prints the values of a key.
setting() {
    sed -n "s/^$1 //p" "$directory/join"
}

# A network that is only just up is given some time.
patiently() {
    tries=1
    until "$@"; do
        [ "$tries" -lt "$TRIES" ] || return 1
        tries=$((tries + 1))
        sleep "$PAUSE"
    done
}

# Asks for the headers of a page; whatever the answer, it came. Sets $message to the last thing curl said.
answers() {
    message=$(head_of --output /dev/null "$@" 2>&1)
}

head_of() {
    curl --silent --show-error --head --max-time 20 "$@"
}

check_name() {
    name=$(setting endpoint-name)
    if [ -z "$name" ]; then
        pass 'the worker endpoint is an address'
    elif patiently getent ahosts "$name" >/dev/null; then
        pass "$name has an address"
    else
        fail "$name has no address: check the DNS servers of this host"
    fi
}

# The worker's own first boot knows no proxy either.
check_endpoint() {
    set --
    [ ! -s "$directory/worker-ca.pem" ] || set -- --cacert "$directory/worker-ca.pem"
    if patiently answers --noproxy '*' "$@" "$endpoint"; then
        pass "$endpoint answers, and its certificate is good"
    else
        fail "$endpoint: $message"
    fi
}

# Which of several it is does not matter.
check_registry() {
    registries=$(setting registry)
    [ -n "$registries" ] || return 0
    for registry in $registries; do
        if patiently answers "https://$registry/v2/"; then
            pass "registry $registry answers, and its certificate is good"
            return
        fi
        say "registry $registry: $message"
    done
    fail 'no registry answers'
}

# Certificates are for a time; with a wrong clock none is good, hence the request that trusts any.
clock_is_right() {
    there=$(head_of --insecure --noproxy '*' "$endpoint" 2>/dev/null | sed -n 's/^[Dd]ate: *//p' | tr -d '\r')
    there=$(date -u -d "${there:-unknown}" +%s 2>/dev/null) || return 1
    here=$(date -u +%s)
    difference=$((here > there ? here - there : there - here))
    [ "$difference" -le "$(setting clock)" ]
}

check_clock() {
    difference=unknown
    if patiently clock_is_right; then
        pass "the clock is right within $difference seconds"
    elif [ "$difference" = unknown ]; then
        fail 'the clock cannot be compared: the worker endpoint does not say what time it is'
    else
        fail "the clock is $difference seconds off: check the time servers, or set the clock of the firmware"
    fi
}

check_memory() {
    have=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' "$ROOT/proc/meminfo") / 1024))
    need=$(setting memory)
    if [ "$have" -ge "$need" ]; then pass "$have MiB of memory"; else fail "$have MiB of memory; a worker needs $need"; fi
}

check_disk() {
    if ! found=$(printf '%s\n' "$host" | sed -n 's/^hint //p' | coreiso-disk 2>&1); then
        fail "disk: $found"
        return
    fi
    device=${found%% *}
    kind=${found##* }
    size=${found#* }
    have=$((${size%% *} / 1000000000))
    need=$(setting disk)
    if [ "$have" -ge "$need" ]; then pass "$device has $have GB"; else fail "$device has $have GB; a worker needs $need"; fi
}

# The worker's config, with the host name where there is one.
write_config() {
    mkdir -p "$ROOT/run/coreiso" || return 1
    if [ -z "$hostname" ]; then
        cat "$directory/worker.ign"
    else
        sed "s/__HOSTNAME__/$hostname/" "$directory/worker-named.ign"
    fi >"$ROOT/run/coreiso/worker.ign"
}

install_system() {
    set -- --copy-network --ignition-file "$ROOT/run/coreiso/worker.ign"
    if [ "$kind" = mpath ]; then
        set -- "$@" --append-karg rd.multipath=default --append-karg root=/dev/disk/by-label/dm-mpath-root --append-karg rw
    fi
    coreos-installer install "$@" "$device"
}

host=$(coreiso-host) || stop 'no host of the plan has a MAC address of this machine'
hostname=$(printf '%s\n' "$host" | sed -n 's/^hostname //p')
endpoint=$(setting endpoint)
case $hostname in
*[!A-Za-z0-9.-]*) fail "$hostname is no host name" ;;
'') pass 'this machine is in the plan; its name comes from the network' ;;
*) pass "this machine is $hostname" ;;
esac
check_memory
check_disk
check_name
check_endpoint
check_clock
check_registry
[ "$failures" -eq 0 ] || stop "checks failed: $failures"

say "installing to $device"
umask 077
write_config || stop 'the config of the worker cannot be written'
if ! install_system; then
    say "the installation to $device failed; this machine stays in the live system"
    exit 1
fi
say 'installed; rebooting into the worker'
systemctl reboot
