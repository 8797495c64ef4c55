#!/bin/sh
# Makes this machine a worker: checks what it needs, writes the system to its disk, puts the disk first, reboots. Every check prints
# its verdict; nothing is written unless all have passed, and a failure concerns this machine only.
#
# Ends with 0 once installed, 1 if time may cure what is wrong, 3 if only a person can, and 4 if the disk may have been written to.
#
# /etc/coreiso/join has the settings, "KEY VALUE" each; /run/coreiso/host says which host this is. What happens is told to
# /run/coreiso/status.json, too. ROOT puts another tree in place of /; TRIES and PAUSE say how often, and after how many seconds,
# something on the network is tried again.
set -fu
ROOT=${ROOT:-}
TRIES=${TRIES:-4}
PAUSE=${PAUSE:-5}
PATH=$ROOT/usr/local/bin:$PATH
directory=$ROOT/etc/coreiso
state=$ROOT/run/coreiso
mountpoint=$state/mnt
marker=coreiso-installed
boot_entry='CoreOS (coreiso)'
failures=0
hopeless=

# For the status.
stage=checking
checks=
name=
hostname=
device=
reason=
progress=null
error=

say() {
    printf 'coreiso-join: %s\n' "$*"
}

# Sets $text to a text as JSON has it.
json() {
    case $1 in
    '') text=null ;;
    *[\\\"]* | *[![:print:]]*)
        text=$(printf '%s' "$1" | tr '\n\t' '  ' | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')
        text="\"$text\""
        ;;
    *) text="\"$1\"" ;;
    esac
}

# Adds a member to $status.
member() {
    json "$2"
    status="$status,\"$1\":$text"
}

# Whoever reads the status finds a whole one. It holds nothing secret, and no serial number.
tell() {
    status="{\"version\":1,\"stage\":\"$stage\",\"progress\":$progress"
    member updated "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    member host "$name"
    member hostname "$hostname"
    member expires "${expiry#* }"
    member disk "$device"
    member reason "$reason"
    member error "$error"
    (
        umask 022
        printf '%s,"checks":[%s]}\n' "$status" "$checks" >"$state/status.new"
    ) && mv "$state/status.new" "$state/status.json"
}

# Keeps the verdict of a check: its name, pass, warning or fail, and a sentence.
note() {
    json "$3"
    checks="$checks${checks:+,}{\"check\":\"$1\",\"verdict\":\"$2\",\"text\":$text}"
    tell
}

pass() {
    say "pass: $2"
    note "$1" pass "$2"
}

warn() {
    say "warning: $2"
    note "$1" warning "$2"
}

fail() {
    say "FAIL: $2"
    failures=$((failures + 1))
    error=$2
    note "$1" fail "$2"
}

# Time may cure it.
retry_later() {
    stage=waiting
    tell
    say "$*"
    say 'nothing was written; the checks run again in a minute. sudo journalctl -u coreiso-join shows everything'
    exit 1
}

# Only a person can cure it.
stop() {
    stage=stopped
    error=$1
    tell
    for line; do say "$line"; done
    say 'nothing was written; this machine stays in the live system'
    exit 3
}

# The disk is no longer what it was.
give_up() {
    stage=failed
    error=$1
    tell
    for line; do say "$line"; done
    exit 4
}

# Prints the values of a key.
setting() {
    sed -n "s/^$1 //p" "$directory/join"
}

# Prints the values of a key of this host.
of_host() {
    sed -n "s/^$1 //p" "$state/host"
}

# Prints the kernel arguments, one per line.
arguments() {
    tr -s ' \t' '\n\n' <"$ROOT/proc/cmdline"
}

is_forced() {
    arguments | grep -qE '^coreiso\.reinstall(=1)?$'
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

mount_there() {
    mkdir -p "$mountpoint" && mount "$@" "$mountpoint"
}

# Prints the partition that says that it was installed from such an image, and when.
find_marker() {
    coreiso-disk labelled boot 2>/dev/null | while read -r partition _; do
        mount_there -o ro "$partition" || continue
        # Anybody may have written to this disk.
        date=
        [ ! -f "$mountpoint/$marker" ] || [ -L "$mountpoint/$marker" ] ||
            date=$(sed -n 's/^installed //p' "$mountpoint/$marker" | head -n 1 | tr -cd '0-9A-Za-z:. -' | cut -c 1-64)
        umount "$mountpoint"
        [ -n "$date" ] || continue
        printf '%s %s\n' "$partition" "$date"
        break
    done
}

# A medium that was left in the machine must not install it again, and least of all a worker that has been in service since.
check_marker() {
    found=$(find_marker)
    if [ -z "$found" ]; then
        pass first-boot 'no disk of this machine has been installed from such an image'
    elif is_forced; then
        warn first-boot "${found%% *} was installed on ${found#* }; coreiso.reinstall installs again"
    else
        fail first-boot "this machine was installed on ${found#* } already: see ${found%% *}"
        stop "this machine was installed on ${found#* } already and is not installed again" \
            'remove the medium or put the disk first in the boot order, then reboot' \
            'to install again, boot with the kernel argument coreiso.reinstall=1'
    fi
}

check_memory() {
    have=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' "$ROOT/proc/meminfo") / 1024))
    need=$(setting memory)
    if [ "$have" -ge "$need" ]; then
        pass memory "$have MiB of memory"
    else
        fail memory "$have MiB of memory; a worker needs $need"
    fi
}

check_disk() {
    hints=$(of_host hint)
    if ! found=$(printf '%s\n' "$hints" | coreiso-disk choose 2>"$state/disk.err"); then
        fail disk "disk: $(cat "$state/disk.err")"
        return
    fi
    read -r device size kind paths <<END
$found
END
    reason=$(printf '%s' "$hints" | sed 's/ .*//' | tr '\n' ' ' | sed 's/ $//;s/ /, /g')
    reason=${reason:+the only disk that fits $reason}
    reason=${reason:-the only disk}
    have=$((size / 1000000000))
    need=$(setting disk)
    if [ "$have" -ge "$need" ]; then
        pass disk "$device has $have GB and is $reason"
    else
        fail disk "$device has $have GB; a worker needs $need"
    fi
    check_labels
}

# A worker does not start with two file systems called boot.
check_labels() {
    others=$(
        coreiso-disk labelled boot | while read -r partition disks; do
            for disk in $disks; do
                case " $paths " in *" $disk "*) continue 2 ;; esac
            done
            printf ' %s' "$partition"
        done
    )
    if [ -z "$others" ]; then
        pass labels 'no other disk has a file system called boot'
    else
        fail labels "other disks have file systems called boot, with which the worker would not start:$others; wipe or remove them"
    fi
}

check_name() {
    host_part=$(setting endpoint-name)
    if [ -z "$host_part" ]; then
        pass name 'the worker endpoint is an address'
    elif patiently getent ahosts "$host_part" >/dev/null; then
        pass name "$host_part has an address"
    else
        fail name "$host_part has no address: check the DNS servers of this host"
    fi
}

# Certificates are for a time; with a wrong clock none is good, hence the request that trusts any.
clock_is_right() {
    there=$(curl --silent --head --max-time 20 --insecure --noproxy '*' "$endpoint" 2>/dev/null | sed -n 's/^[Dd]ate: *//p' | tr -d '\r')
    there=$(date -u -d "${there:-unknown}" +%s 2>/dev/null) || return 1
    here=$(date -u +%s)
    difference=$((here > there ? here - there : there - here))
    [ "$difference" -le "$(setting clock)" ]
}

check_clock() {
    difference=unknown
    if patiently clock_is_right; then
        pass clock "the clock is right within $difference seconds"
        check_expiry
    elif [ "$difference" = unknown ]; then
        fail clock 'the clock cannot be compared: the worker endpoint does not say what time it is'
    else
        fail clock "the clock is $difference seconds off: check the time servers, or set the clock of the firmware"
    fi
}

check_expiry() {
    if [ "$here" -lt "${expiry%% *}" ]; then
        pass expiry "the image may install until ${expiry#* }"
    elif is_forced; then
        warn expiry "the image has expired on ${expiry#* }; coreiso.reinstall installs nevertheless"
    else
        hopeless="the image has expired on ${expiry#* }: build a new one, or boot with the kernel argument coreiso.reinstall=1"
        fail expiry "$hopeless"
    fi
}

# Asks as Ignition will on the worker's first boot, which knows no proxy either. The answer is full of secrets.
endpoint_serves() {
    code=$(curl --silent --show-error --connect-timeout 10 --max-time 60 --noproxy '*' "$@" --header "Accept: $accept" \
        --output "$state/answer" --write-out '%{http_code}' "$endpoint" 2>"$state/answer.err")
    if [ $? -ne 0 ]; then
        message=$(cat "$state/answer.err")
        false
    elif [ "$code" != 200 ]; then
        message="answers with HTTP status $code instead of a config: does the cluster have this machine config pool?"
        false
    elif ! grep -q '"ignition"' "$state/answer"; then
        message='answers with something that is no Ignition config'
        false
    fi
}

check_endpoint() {
    accept="application/vnd.coreos.ignition+json;version=$(setting ignition), */*;q=0.1"
    set --
    [ ! -s "$directory/worker-ca.pem" ] || set -- --cacert "$directory/worker-ca.pem"
    if patiently endpoint_serves "$@"; then
        pass endpoint "$endpoint has a config, and its certificate is good"
    else
        fail endpoint "$endpoint: $message"
    fi
    rm -f "$state/answer" "$state/answer.err"
}

answers() {
    message=$(curl --silent --show-error --head --max-time 20 --output /dev/null "$@" 2>&1)
}

# With the trust that the cluster has for it, through the proxy or around it: curl does not know networks in NO_PROXY.
registry_answers() {
    set -- "https://$1/v2/" "$ROOT/etc/docker/certs.d/$1/ca.crt"
    answers "$1" || answers --noproxy '*' "$1" || {
        [ -s "$2" ] && { answers --cacert "$2" "$1" || answers --noproxy '*' --cacert "$2" "$1"; }
    }
}

# Registries without good certificates, or without any.
insecure_answers() {
    answers --insecure "https://$1/v2/" || answers --insecure --noproxy '*' "https://$1/v2/" || answers --noproxy '*' "http://$1/v2/"
}

# Which of several it is does not matter. The worker may reach what the live system cannot, so this stops nobody.
check_registry() {
    messages=
    for registry in $(setting registry); do
        if registry_answers "$registry"; then
            pass registry "registry $registry answers, and its certificate is good"
            return
        fi
        messages="$messages; $registry: $message"
    done
    for registry in $(setting insecure-registry); do
        if insecure_answers "$registry"; then
            pass registry "registry $registry answers; the cluster does not check its certificate"
            return
        fi
        messages="$messages; $registry: $message"
    done
    [ -z "$messages" ] || warn registry "no registry answers from here$messages"
}

# The worker's config, with the host name where there is one. A host may have one of its own, which has its name.
write_config() {
    own=$ROOT/etc/assisted/hostconfig/$name/worker.ign
    if [ -n "$name" ] && [ -f "$own" ]; then
        cat "$own"
    elif [ -z "$hostname" ]; then
        cat "$directory/worker.ign"
    else
        sed "s/__HOSTNAME__/$hostname/" "$directory/worker-named.ign"
    fi >"$state/worker.ign"
}

# Sets $always and $first to the kernel arguments that the installed system needs as this one did: at every boot, or at its first.
# These are the lists of CoreOS' own installer service, save that names of interfaces must stay what they are in the profiles, and
# that a disk behind a network needs the network at every boot.
carry_over() {
    always=
    first=
    network=
    is_remote=
    for argument in $(arguments); do
        case ${argument%%=*} in
        rd.dasd | rd.zfcp | rd.znet | zfcp.allow_lun_scan | cio_ignore) always="$always $argument" ;;
        net.ifnames | net.naming-scheme | biosdevname | ipv6.disable) always="$always $argument" ;;
        netroot | rd.iscsi.* | rd.nvmf.*)
            always="$always $argument"
            is_remote=yes
            ;;
        ip | ifname | rd.route | bootdev | BOOTIF | rd.bootif | nameserver | rd.peerdns | vlan | bond | team | bridge | \
            rd.net.timeout.carrier | coreos.no_persist_ip | coreos.force_persist_ip)
            network="$network $argument"
            ;;
        rd.multipath) [ "$kind" != mpath ] || multipath=$argument ;;
        esac
    done
    if [ -n "$is_remote" ]; then always="$always rd.neednet=1$network"; else first=$network; fi
}

install_system() {
    multipath=rd.multipath=default
    carry_over
    [ "$kind" != mpath ] || always="$always $multipath root=/dev/disk/by-label/dm-mpath-root rw"
    set -- --copy-network --offline --ignition-file "$state/worker.ign"
    for argument in $always; do
        set -- "$@" --append-karg "$argument"
    done
    [ -z "$first" ] || set -- "$@" --firstboot-args "rd.neednet=1$first"
    : >"$state/writing"
    {
        coreos-installer install "$@" "$device" 2>&1
        printf '%s' "$?" >"$state/written"
    } | while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in
        *'('[0-9]*'%)'*)
            progress=${line##*'('}
            progress=${progress%%'%)'*}
            tell
            ;;
        esac
    done
    [ "$(cat "$state/written")" = 0 ]
}

# Leaves word on the new system for a boot from the same medium.
leave_marker() {
    udevadm settle
    partition=$(coreiso-disk part "$device" boot) || return 1
    mount_there "${partition% *}" || return 1
    printf 'host %s\ninstalled %s\n' "$name" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$mountpoint/$marker"
    outcome=$?
    umount "$mountpoint" && return "$outcome"
}

# Prints the loader that firmware should start, as a path on the EFI partition: the vendor's, or else the one for any disk.
find_loader() {
    case $(uname -m) in
    aarch64) set -- aa64 AA64 ;;
    *) set -- x64 X64 ;;
    esac
    set +f
    for loader in "$mountpoint"/EFI/*/shim"$1".efi "$mountpoint"/EFI/*/grub"$1".efi "$mountpoint"/EFI/BOOT/BOOT"$2".EFI; do
        case $loader in
        */EFI/BOOT/[sg]*) continue ;;
        esac
        [ ! -e "$loader" ] || break
    done
    set -f
    [ -e "$loader" ] && printf '%s' "${loader#"$mountpoint"}" | tr / '\\'
}

put_first_efi() {
    partition=$(coreiso-disk part "$device" EFI-SYSTEM) || return 1
    mount_there -o ro "${partition% *}" || return 1
    loader=$(find_loader)
    umount "$mountpoint"
    [ -n "$loader" ] || return 1
    for number in $(efibootmgr | sed -n "s/^Boot\\([0-9A-Fa-f]\\{4\\}\\)[* ] *$boot_entry.*/\\1/p"); do
        efibootmgr --quiet --bootnum "$number" --delete-bootnum
    done
    efibootmgr --quiet --create --disk "${paths%% *}" --part "${partition#* }" --label "$boot_entry" --loader "$loader"
}

# Firmware that starts the medium again is stopped by the marker, but somebody would have to come.
put_first() {
    if [ -d "$ROOT/sys/firmware/efi" ]; then
        put_first_efi
    else
        case $(uname -m) in
        ppc64le) bootlist -m normal -o "${paths%% *}" ;;
        # The installer itself has told the machine.
        s390x) ;;
        *) false ;;
        esac
    fi
}

umask 077
mkdir -p "$state" || exit 1
expiry=$(setting expires)
tell
if [ -e "$state/writing" ]; then
    give_up 'this boot has begun to install already; what is wrong must be looked at first' \
        'sudo journalctl -u coreiso-join shows everything; a reboot begins anew'
fi
[ -s "$state/host" ] || stop 'no host of the plan has a MAC address of this machine' \
    'add one to the interfaces of its host, and build the image again'
name=$(of_host host)
hostname=$(of_host hostname)
endpoint=$(setting endpoint)
case $hostname in
*[!A-Za-z0-9.-]*)
    hostname=
    fail identity 'the host name of the plan is none'
    ;;
'') pass identity 'this machine is in the plan; its name comes from the network' ;;
*) pass identity "this machine is $hostname" ;;
esac
check_marker
check_memory
check_disk
check_name
check_clock
check_endpoint
check_registry
[ -z "$hopeless" ] || stop "$hopeless"
[ "$failures" -eq 0 ] || retry_later "checks failed: $failures"

say "installing to $device"
stage=installing
progress=0
tell
write_config || retry_later 'the config of the worker cannot be written'
install_system || give_up "the installation to $device failed; this machine stays in the live system" \
    'sudo journalctl -u coreiso-join shows why; a reboot begins anew'
stage=finishing
progress=100
tell
leave_marker || give_up "$device is installed, but a boot from this medium would install it again: remove the medium, then reboot"
put_first || warn boot-order "$device could not be put first in the boot order: remove the medium, or choose the disk in the firmware"
stage=installed
error=
tell
say 'installed; rebooting into the worker'
systemctl reboot
