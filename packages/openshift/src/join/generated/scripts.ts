// Generated from the shell scripts by packages/openshift/scripts/generate.mjs. Do not edit.

/** The programs that an image brings along. */
export type ScriptName = 'coreiso-disk' | 'coreiso-host' | 'coreiso-hostname' | 'coreiso-join' | 'coreiso-network' | 'coreiso-nics' | 'coreiso-status';

export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
  'coreiso-disk':
    '#!/bin/sh\n' +
    '# Answers questions about the disks of this machine.\n' +
    '#\n' +
    '#   coreiso-disk choose              the one disk that fits all root device hints on standard input, "NAME VALUE" each, as\n' +
    '#                                    "DEVICE SIZE TYPE DISK...". Fails, saying why, if none does or several do: a disk is never guessed.\n' +
    '#   coreiso-disk labelled LABEL      the file systems with this label, "PARTITION DISK..." each\n' +
    '#   coreiso-disk part DEVICE LABEL   the one on a disk, as "PARTITION NUMBER". Fails if there is none.\n' +
    '#\n' +
    '# DISK... are the disks that a device is made of in the end; a disk is made of itself. ROOT puts another tree in place of /.\n' +
    'set -fu\n' +
    'LC_ALL=C\n' +
    'export LC_ALL\n' +
    'ROOT=${ROOT:-}\n' +
    'newline=\'\n' +
    '\'\n' +
    '\n' +
    'refuse() {\n' +
    '    printf \'%s\\n\' "$*" >&2\n' +
    '    exit 1\n' +
    '}\n' +
    '\n' +
    '# Rows of NAME="VALUE" after a blank each. What lsblk complains about is no reason to stop as long as it has an answer.\n' +
    'disks=$(lsblk --bytes --pairs --paths 2>/dev/null \\\n' +
    '    --output NAME,KNAME,PKNAME,TYPE,SIZE,RO,ROTA,FSTYPE,LABEL,MOUNTPOINT,HCTL,MODEL,VENDOR,SERIAL,WWN | sed \'s/^/ /\')\n' +
    '[ -n "$disks" ] || refuse \'lsblk shows no disks\'\n' +
    '\n' +
    '# Sets $field to a column of $disk. What would end the quotes early is escaped by lsblk.\n' +
    'column() {\n' +
    '    field=${disk#*" $1=\\""}\n' +
    '    field=${field%%\\"*}\n' +
    '}\n' +
    '\n' +
    '# Adds what a device is made of to $parents, by kernel names: a partition\'s disk, and what RAID, LVM, LUKS or multipath put together.\n' +
    '# lsblk shows only one parent of several.\n' +
    'add_parents() {\n' +
    '    IFS=$newline\n' +
    '    for disk in $disks; do\n' +
    '        case $disk in\n' +
    '        *" KNAME=\\"$1\\""*)\n' +
    '            column PKNAME\n' +
    '            [ -z "$field" ] || parents="$parents $field"\n' +
    '            ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    unset IFS\n' +
    '    set +f\n' +
    '    set -- "$ROOT/sys/class/block/${1##*/}/slaves"/*\n' +
    '    set -f\n' +
    '    for slave; do\n' +
    '        [ ! -e "$slave" ] || parents="$parents /dev/${slave##*/}"\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# Sets $lineage to a device and everything below it, each between blanks.\n' +
    'trace() {\n' +
    '    lineage=" $1 "\n' +
    '    parents=" $1"\n' +
    '    while [ -n "$parents" ]; do\n' +
    '        next=${parents# }\n' +
    '        next=${next%% *}\n' +
    '        parents=${parents#" $next"}\n' +
    '        case $lineage in\n' +
    '        *" $next "*) [ "$next" = "$1" ] || continue ;;\n' +
    '        *) lineage="$lineage$next " ;;\n' +
    '        esac\n' +
    '        add_parents "$next"\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# Prints the disks of $lineage, a blank before each.\n' +
    'roots() {\n' +
    '    IFS=$newline\n' +
    '    for disk in $disks; do\n' +
    '        column KNAME\n' +
    '        case $lineage/$disk in\n' +
    '        *" $field "*/*\' TYPE="disk"\'*) printf \' %s\' "$field" ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    unset IFS\n' +
    '}\n' +
    '\n' +
    '# Whether $disk can be written at all: no optical drive, no memory disk, nothing that this system runs from.\n' +
    'is_eligible() {\n' +
    '    column KNAME\n' +
    '    case $field in\n' +
    '    /dev/zram* | /dev/ram* | /dev/fd*) return 1 ;;\n' +
    '    esac\n' +
    '    case $used in\n' +
    '    *" $field "*) return 1 ;;\n' +
    '    esac\n' +
    '    case $disk in\n' +
    '    *\' TYPE="disk"\'*) ;;\n' +
    '    *) return 1 ;;\n' +
    '    esac\n' +
    '    case $disk in\n' +
    '    *\' SIZE="0"\'* | *\' RO="1"\'* | *\' FSTYPE="iso9660"\'*) return 1 ;;\n' +
    '    esac\n' +
    '}\n' +
    '\n' +
    '# A text as udev has it, which writes underscores for blanks.\n' +
    'underscored() {\n' +
    '    printf \'%s\\n\' "$1" | sed \'s/[ _]*$//;s/[ _][ _]*/_/g\'\n' +
    '}\n' +
    '\n' +
    'contains() {\n' +
    '    case $(underscored "$field") in *"$(underscored "$1")"*) ;; *) false ;; esac\n' +
    '}\n' +
    '\n' +
    '# Whether $disk fits a hint. Models and vendors may be given in part, as upstream takes them.\n' +
    'fits() {\n' +
    '    case $1 in\n' +
    '    deviceName)\n' +
    '        column NAME\n' +
    '        [ "$2" = "$field" ] || [ "$(readlink -f -- "$ROOT$2")" = "$ROOT$field" ]\n' +
    '        ;;\n' +
    '    hctl)\n' +
    '        column HCTL\n' +
    '        [ "$2" = "$field" ]\n' +
    '        ;;\n' +
    '    model)\n' +
    '        column MODEL\n' +
    '        contains "$2"\n' +
    '        ;;\n' +
    '    vendor)\n' +
    '        column VENDOR\n' +
    '        contains "$2"\n' +
    '        ;;\n' +
    '    serialNumber)\n' +
    '        column SERIAL\n' +
    '        [ "$2" = "$field" ]\n' +
    '        ;;\n' +
    '    minSizeGigabytes)\n' +
    '        column SIZE\n' +
    '        [ "$field" -ge $(($2 * 1000000000)) ]\n' +
    '        ;;\n' +
    '    wwn)\n' +
    '        # lsblk prints the number with its vendor extension, the first half of which alone is the WWN.\n' +
    '        column WWN\n' +
    '        [ "$2" = "$field" ] || { [ "${#2}" -eq 18 ] && [ "$2" = "${field%????????????????}" ]; }\n' +
    '        ;;\n' +
    '    wwnWithExtension)\n' +
    '        column WWN\n' +
    '        [ "$2" = "$field" ]\n' +
    '        ;;\n' +
    '    wwnVendorExtension)\n' +
    '        column WWN\n' +
    '        [ "${#field}" -eq 34 ] && [ "${2#0x}" = "${field#0x????????????????}" ]\n' +
    '        ;;\n' +
    '    rotational)\n' +
    '        column ROTA\n' +
    '        case $2/$field in true/1 | false/0) ;; *) false ;; esac\n' +
    '        ;;\n' +
    '    *)\n' +
    '        refuse "there is no root device hint $1"\n' +
    '        ;;\n' +
    '    esac\n' +
    '}\n' +
    '\n' +
    'fits_all() {\n' +
    '    while read -r hint value; do\n' +
    '        [ -z "$hint" ] || fits "$hint" "$value" || return 1\n' +
    '    done <<END\n' +
    '$hints\n' +
    'END\n' +
    '}\n' +
    '\n' +
    '# A path of a multipath device stands for the device: prints the row that lsblk has for it.\n' +
    'multipath_of() {\n' +
    '    set +f\n' +
    '    set -- "$ROOT/sys/class/block/${1##*/}/holders"/*\n' +
    '    set -f\n' +
    '    for holder; do\n' +
    '        IFS=$newline\n' +
    '        for disk in $disks; do\n' +
    '            unset IFS\n' +
    '            case $disk in\n' +
    '            *" KNAME=\\"/dev/${holder##*/}\\""*\' TYPE="mpath"\'*)\n' +
    '                printf \'%s\\n\' "$disk"\n' +
    '                return\n' +
    '                ;;\n' +
    '            esac\n' +
    '        done\n' +
    '        unset IFS\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# Sets $used to all that mounted file systems and swap space are made of, each between blanks.\n' +
    'find_used() {\n' +
    '    used=\' \'\n' +
    '    IFS=$newline\n' +
    '    for row in $disks; do\n' +
    '        unset IFS\n' +
    '        disk=$row\n' +
    '        column MOUNTPOINT\n' +
    '        [ -n "$field" ] || continue\n' +
    '        column KNAME\n' +
    '        trace "$field"\n' +
    '        used=$used$lineage\n' +
    '    done\n' +
    '    unset IFS\n' +
    '}\n' +
    '\n' +
    'choose() {\n' +
    '    hints=$(cat)\n' +
    '    find_used\n' +
    '    chosen=\n' +
    '    names=\n' +
    '    IFS=$newline\n' +
    '    for row in $disks; do\n' +
    '        unset IFS\n' +
    '        disk=$row\n' +
    '        is_eligible && fits_all || continue\n' +
    '        column KNAME\n' +
    '        multipath=$(multipath_of "$field")\n' +
    '        [ -z "$multipath" ] || disk=$multipath\n' +
    '        column SIZE\n' +
    '        size=$field\n' +
    '        column TYPE\n' +
    '        type=$field\n' +
    '        column NAME\n' +
    '        name=$field\n' +
    '        case "$names " in\n' +
    '        *" $name "*) continue ;;\n' +
    '        esac\n' +
    '        names="$names $name"\n' +
    '        column KNAME\n' +
    '        trace "$field"\n' +
    '        chosen="$name $size $type$(roots)"\n' +
    '    done\n' +
    '    unset IFS\n' +
    '    case $names in\n' +
    '    \'\') refuse \'no disk fits the root device hints\' ;;\n' +
    '    \' \'*\' \'*) refuse "several disks fit the root device hints:$names; add a hint" ;;\n' +
    '    *) printf \'%s\\n\' "$chosen" ;;\n' +
    '    esac\n' +
    '}\n' +
    '\n' +
    'labelled() {\n' +
    '    IFS=$newline\n' +
    '    for row in $disks; do\n' +
    '        unset IFS\n' +
    '        disk=$row\n' +
    '        case $disk in\n' +
    '        *" LABEL=\\"$1\\""*) ;;\n' +
    '        *) continue ;;\n' +
    '        esac\n' +
    '        column NAME\n' +
    '        name=$field\n' +
    '        column KNAME\n' +
    '        trace "$field"\n' +
    '        printf \'%s%s\\n\' "$name" "$(roots)"\n' +
    '    done\n' +
    '    unset IFS\n' +
    '}\n' +
    '\n' +
    '# Sets $kname to what the kernel calls a device.\n' +
    'find_kname() {\n' +
    '    kname=\n' +
    '    IFS=$newline\n' +
    '    for disk in $disks; do\n' +
    '        column NAME\n' +
    '        [ "$field" = "$1" ] || continue\n' +
    '        column KNAME\n' +
    '        kname=$field\n' +
    '    done\n' +
    '    unset IFS\n' +
    '}\n' +
    '\n' +
    '# The kernel numbers partitions of disks; the name of one of a multipath device ends in its number.\n' +
    'part() {\n' +
    '    find_kname "$1"\n' +
    '    IFS=$newline\n' +
    '    for row in $disks; do\n' +
    '        unset IFS\n' +
    '        disk=$row\n' +
    '        column KNAME\n' +
    '        partition=$field\n' +
    '        column NAME\n' +
    '        name=$field\n' +
    '        case $disk in\n' +
    '        *" LABEL=\\"$2\\""*) trace "$partition" ;;\n' +
    '        *) continue ;;\n' +
    '        esac\n' +
    '        case $lineage in\n' +
    '        *" $kname "*) ;;\n' +
    '        *) continue ;;\n' +
    '        esac\n' +
    '        number=\n' +
    '        { read -r number <"$ROOT/sys/class/block/${partition##*/}/partition"; } 2>/dev/null\n' +
    '        printf \'%s %s\\n\' "$name" "${number:-${name##*[!0-9]}}"\n' +
    '        return\n' +
    '    done\n' +
    '    unset IFS\n' +
    '    return 1\n' +
    '}\n' +
    '\n' +
    'case ${1:-} in\n' +
    'choose | labelled | part) "$@" ;;\n' +
    '*) refuse \'usage: coreiso-disk choose | labelled LABEL | part DEVICE LABEL\' ;;\n' +
    'esac\n',
  'coreiso-host':
    '#!/bin/sh\n' +
    '# Finds out which host of the plan this machine is: the first in /etc/coreiso/hosts that has the MAC address of one of its cards.\n' +
    '# What the plan says of it, lines of "KEY VALUE", is kept in /run/coreiso/host, where the other scripts read it. Runs once, before\n' +
    '# NetworkManager makes devices that share addresses.\n' +
    '#\n' +
    '# The plan lists hosts one after the other, each begun by a line "host NAME"; MACs are in lower case. ROOT puts another tree in place\n' +
    '# of /. NIC_WAIT is how many seconds cards may take to appear; once one of the host\'s is there, the others get NIC_QUIET seconds more\n' +
    '# each time that any card appears.\n' +
    'set -fu\n' +
    'ROOT=${ROOT:-}\n' +
    'NIC_WAIT=${NIC_WAIT:-30}\n' +
    'NIC_QUIET=${NIC_QUIET:-5}\n' +
    'PATH=$ROOT/usr/local/bin:$PATH\n' +
    'newline=\'\n' +
    '\'\n' +
    '\n' +
    'log() {\n' +
    '    printf \'coreiso-host: %s\\n\' "$*"\n' +
    '}\n' +
    '\n' +
    '# Sets $host to what the plan says of this machine, and $absent to those of its MACs that no card has.\n' +
    'find_host() {\n' +
    '    nics=$(coreiso-nics)\n' +
    '    macs=" $(printf \'%s\\n\' "$nics" | sed \'s/ .*//\' | tr \'\\n\' \' \')"\n' +
    '    host=\n' +
    '    absent=\n' +
    '    entry=\n' +
    '    missing=\n' +
    '    found=\n' +
    '    while read -r key value; do\n' +
    '        if [ "$key" = host ]; then\n' +
    '            [ -z "$found" ] || break\n' +
    '            entry=\n' +
    '            missing=\n' +
    '        fi\n' +
    '        entry="$entry$key $value$newline"\n' +
    '        case $key/$macs in\n' +
    '        mac/*" $value "*) found=yes ;;\n' +
    '        mac/*) missing="$missing $value" ;;\n' +
    '        esac\n' +
    '    done <"$ROOT/etc/coreiso/hosts"\n' +
    '    [ -n "$found" ] || return\n' +
    '    host=$entry\n' +
    '    absent=$missing\n' +
    '}\n' +
    '\n' +
    'wait_for_host() {\n' +
    '    waited=0\n' +
    '    quiet=0\n' +
    '    find_host\n' +
    '    while [ -z "$host" ] || [ -n "$absent" ]; do\n' +
    '        [ "$waited" -lt "$NIC_WAIT" ] || return\n' +
    '        [ -z "$host" ] || [ "$quiet" -lt "$NIC_QUIET" ] || return\n' +
    '        sleep 1\n' +
    '        waited=$((waited + 1))\n' +
    '        quiet=$((quiet + 1))\n' +
    '        before=$nics\n' +
    '        find_host\n' +
    '        [ "$nics" = "$before" ] || quiet=0\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '[ ! -e "$ROOT/run/coreiso/host" ] || exit 0\n' +
    'wait_for_host\n' +
    'if [ -z "$host" ]; then\n' +
    '    log "no host of the plan has a MAC address of this machine, which has:$(printf \'%s\' "$nics" | sed \'s/^/ /\' | tr -d \'\\n\')"\n' +
    '    exit 0\n' +
    'fi\n' +
    '[ -z "$absent" ] || log "no card has$absent; gave up after $waited seconds"\n' +
    'name=${host%%"$newline"*}\n' +
    'log "this machine is ${name#host }"\n' +
    'umask 077\n' +
    'mkdir -p "$ROOT/run/coreiso" &&\n' +
    '    printf \'%s\' "$host" >"$ROOT/run/coreiso/host.new" &&\n' +
    '    mv "$ROOT/run/coreiso/host.new" "$ROOT/run/coreiso/host"\n',
  'coreiso-hostname':
    '#!/bin/sh\n' +
    '# Sets the host name that the plan gives this machine. Runs before NetworkManager, which would take one from DHCP.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '\n' +
    'hostname=\n' +
    '[ ! -e "$ROOT/run/coreiso/host" ] || hostname=$(sed -n \'s/^hostname //p\' "$ROOT/run/coreiso/host")\n' +
    'case $hostname in\n' +
    '\'\')\n' +
    '    echo \'coreiso-hostname: the plan has no host name for this machine\'\n' +
    '    exit 0\n' +
    '    ;;\n' +
    '*[!A-Za-z0-9.-]*)\n' +
    '    echo "coreiso-hostname: $hostname is no host name"\n' +
    '    exit 1\n' +
    '    ;;\n' +
    'esac\n' +
    'echo "coreiso-hostname: this machine is called $hostname"\n' +
    'printf \'%s\\n\' "$hostname" >"$ROOT/etc/hostname" || exit 1\n' +
    'printf \'%s\' "$hostname" >"$ROOT/proc/sys/kernel/hostname"\n',
  'coreiso-join':
    '#!/bin/sh\n' +
    '# Makes this machine a worker: checks what it needs, writes the system to its disk, puts the disk first, reboots. Every check prints\n' +
    '# its verdict; nothing is written unless all have passed, and a failure concerns this machine only.\n' +
    '#\n' +
    '# Ends with 0 once installed, 1 if time may cure what is wrong, 3 if only a person can, and 4 if the disk may have been written to.\n' +
    '#\n' +
    '# /etc/coreiso/join has the settings, "KEY VALUE" each; /run/coreiso/host says which host this is. What happens is told to\n' +
    '# /run/coreiso/status.json, too. ROOT puts another tree in place of /; TRIES and PAUSE say how often, and after how many seconds,\n' +
    '# something on the network is tried again.\n' +
    'set -fu\n' +
    'ROOT=${ROOT:-}\n' +
    'TRIES=${TRIES:-4}\n' +
    'PAUSE=${PAUSE:-5}\n' +
    'PATH=$ROOT/usr/local/bin:$PATH\n' +
    'directory=$ROOT/etc/coreiso\n' +
    'state=$ROOT/run/coreiso\n' +
    'mountpoint=$state/mnt\n' +
    'marker=coreiso-installed\n' +
    'boot_entry=\'CoreOS (coreiso)\'\n' +
    'failures=0\n' +
    'hopeless=\n' +
    '\n' +
    '# For the status.\n' +
    'stage=checking\n' +
    'checks=\n' +
    'name=\n' +
    'hostname=\n' +
    'device=\n' +
    'reason=\n' +
    'progress=null\n' +
    'error=\n' +
    '\n' +
    'say() {\n' +
    '    printf \'coreiso-join: %s\\n\' "$*"\n' +
    '}\n' +
    '\n' +
    '# Sets $text to a text as JSON has it.\n' +
    'json() {\n' +
    '    case $1 in\n' +
    '    \'\') text=null ;;\n' +
    '    *[\\\\\\"]* | *[![:print:]]*)\n' +
    '        text=$(printf \'%s\' "$1" | tr \'\\n\\t\' \'  \' | tr -d \'\\000-\\037\' | sed \'s/[\\\\"]/\\\\&/g\')\n' +
    '        text="\\"$text\\""\n' +
    '        ;;\n' +
    '    *) text="\\"$1\\"" ;;\n' +
    '    esac\n' +
    '}\n' +
    '\n' +
    '# Adds a member to $status.\n' +
    'member() {\n' +
    '    json "$2"\n' +
    '    status="$status,\\"$1\\":$text"\n' +
    '}\n' +
    '\n' +
    '# Whoever reads the status finds a whole one. It holds nothing secret, and no serial number.\n' +
    'tell() {\n' +
    '    status="{\\"version\\":1,\\"stage\\":\\"$stage\\",\\"progress\\":$progress"\n' +
    '    member updated "$(date -u +%Y-%m-%dT%H:%M:%SZ)"\n' +
    '    member host "$name"\n' +
    '    member hostname "$hostname"\n' +
    '    member expires "${expiry#* }"\n' +
    '    member disk "$device"\n' +
    '    member reason "$reason"\n' +
    '    member error "$error"\n' +
    '    (\n' +
    '        umask 022\n' +
    '        printf \'%s,"checks":[%s]}\\n\' "$status" "$checks" >"$state/status.new"\n' +
    '    ) && mv "$state/status.new" "$state/status.json"\n' +
    '}\n' +
    '\n' +
    '# Keeps the verdict of a check: its name, pass, warning or fail, and a sentence.\n' +
    'note() {\n' +
    '    json "$3"\n' +
    '    checks="$checks${checks:+,}{\\"check\\":\\"$1\\",\\"verdict\\":\\"$2\\",\\"text\\":$text}"\n' +
    '    tell\n' +
    '}\n' +
    '\n' +
    'pass() {\n' +
    '    say "pass: $2"\n' +
    '    note "$1" pass "$2"\n' +
    '}\n' +
    '\n' +
    'warn() {\n' +
    '    say "warning: $2"\n' +
    '    note "$1" warning "$2"\n' +
    '}\n' +
    '\n' +
    'fail() {\n' +
    '    say "FAIL: $2"\n' +
    '    failures=$((failures + 1))\n' +
    '    error=$2\n' +
    '    note "$1" fail "$2"\n' +
    '}\n' +
    '\n' +
    '# Time may cure it.\n' +
    'retry_later() {\n' +
    '    stage=waiting\n' +
    '    tell\n' +
    '    say "$*"\n' +
    '    say \'nothing was written; the checks run again in a minute. sudo journalctl -u coreiso-join shows everything\'\n' +
    '    exit 1\n' +
    '}\n' +
    '\n' +
    '# Only a person can cure it.\n' +
    'stop() {\n' +
    '    stage=stopped\n' +
    '    error=$1\n' +
    '    tell\n' +
    '    for line; do say "$line"; done\n' +
    '    say \'nothing was written; this machine stays in the live system\'\n' +
    '    exit 3\n' +
    '}\n' +
    '\n' +
    '# The disk is no longer what it was.\n' +
    'give_up() {\n' +
    '    stage=failed\n' +
    '    error=$1\n' +
    '    tell\n' +
    '    for line; do say "$line"; done\n' +
    '    exit 4\n' +
    '}\n' +
    '\n' +
    '# Prints the values of a key.\n' +
    'setting() {\n' +
    '    sed -n "s/^$1 //p" "$directory/join"\n' +
    '}\n' +
    '\n' +
    '# Prints the values of a key of this host.\n' +
    'of_host() {\n' +
    '    sed -n "s/^$1 //p" "$state/host"\n' +
    '}\n' +
    '\n' +
    '# Prints the kernel arguments, one per line.\n' +
    'arguments() {\n' +
    '    tr -s \' \\t\' \'\\n\\n\' <"$ROOT/proc/cmdline"\n' +
    '}\n' +
    '\n' +
    'is_forced() {\n' +
    '    arguments | grep -qE \'^coreiso\\.reinstall(=1)?$\'\n' +
    '}\n' +
    '\n' +
    '# A network that is only just up is given some time.\n' +
    'patiently() {\n' +
    '    tries=1\n' +
    '    until "$@"; do\n' +
    '        [ "$tries" -lt "$TRIES" ] || return 1\n' +
    '        tries=$((tries + 1))\n' +
    '        sleep "$PAUSE"\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    'mount_there() {\n' +
    '    mkdir -p "$mountpoint" && mount "$@" "$mountpoint"\n' +
    '}\n' +
    '\n' +
    '# Prints the partition that says that it was installed from such an image, and when.\n' +
    'find_marker() {\n' +
    '    coreiso-disk labelled boot 2>/dev/null | while read -r partition _; do\n' +
    '        mount_there -o ro "$partition" || continue\n' +
    '        # Anybody may have written to this disk.\n' +
    '        date=\n' +
    '        [ ! -f "$mountpoint/$marker" ] || [ -L "$mountpoint/$marker" ] ||\n' +
    '            date=$(sed -n \'s/^installed //p\' "$mountpoint/$marker" | head -n 1 | tr -cd \'0-9A-Za-z:. -\' | cut -c 1-64)\n' +
    '        umount "$mountpoint"\n' +
    '        [ -n "$date" ] || continue\n' +
    '        printf \'%s %s\\n\' "$partition" "$date"\n' +
    '        break\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# A medium that was left in the machine must not install it again, and least of all a worker that has been in service since.\n' +
    'check_marker() {\n' +
    '    found=$(find_marker)\n' +
    '    if [ -z "$found" ]; then\n' +
    '        pass first-boot \'no disk of this machine has been installed from such an image\'\n' +
    '    elif is_forced; then\n' +
    '        warn first-boot "${found%% *} was installed on ${found#* }; coreiso.reinstall installs again"\n' +
    '    else\n' +
    '        fail first-boot "this machine was installed on ${found#* } already: see ${found%% *}"\n' +
    '        stop "this machine was installed on ${found#* } already and is not installed again" \\\n' +
    '            \'remove the medium or put the disk first in the boot order, then reboot\' \\\n' +
    '            \'to install again, boot with the kernel argument coreiso.reinstall=1\'\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    'check_memory() {\n' +
    '    have=$(($(sed -n \'s/^MemTotal: *\\([0-9]*\\) kB$/\\1/p\' "$ROOT/proc/meminfo") / 1024))\n' +
    '    need=$(setting memory)\n' +
    '    if [ "$have" -ge "$need" ]; then\n' +
    '        pass memory "$have MiB of memory"\n' +
    '    else\n' +
    '        fail memory "$have MiB of memory; a worker needs $need"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    'check_disk() {\n' +
    '    hints=$(of_host hint)\n' +
    '    if ! found=$(printf \'%s\\n\' "$hints" | coreiso-disk choose 2>"$state/disk.err"); then\n' +
    '        fail disk "disk: $(cat "$state/disk.err")"\n' +
    '        return\n' +
    '    fi\n' +
    '    read -r device size kind paths <<END\n' +
    '$found\n' +
    'END\n' +
    '    reason=$(printf \'%s\' "$hints" | sed \'s/ .*//\' | tr \'\\n\' \' \' | sed \'s/ $//;s/ /, /g\')\n' +
    '    reason=${reason:+the only disk that fits $reason}\n' +
    '    reason=${reason:-the only disk}\n' +
    '    have=$((size / 1000000000))\n' +
    '    need=$(setting disk)\n' +
    '    if [ "$have" -ge "$need" ]; then\n' +
    '        pass disk "$device has $have GB and is $reason"\n' +
    '    else\n' +
    '        fail disk "$device has $have GB; a worker needs $need"\n' +
    '    fi\n' +
    '    check_labels\n' +
    '}\n' +
    '\n' +
    '# A worker does not start with two file systems called boot.\n' +
    'check_labels() {\n' +
    '    others=$(\n' +
    '        coreiso-disk labelled boot | while read -r partition disks; do\n' +
    '            for disk in $disks; do\n' +
    '                case " $paths " in *" $disk "*) continue 2 ;; esac\n' +
    '            done\n' +
    '            printf \' %s\' "$partition"\n' +
    '        done\n' +
    '    )\n' +
    '    if [ -z "$others" ]; then\n' +
    '        pass labels \'no other disk has a file system called boot\'\n' +
    '    else\n' +
    '        fail labels "other disks have file systems called boot, with which the worker would not start:$others; wipe or remove them"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    'check_name() {\n' +
    '    host_part=$(setting endpoint-name)\n' +
    '    if [ -z "$host_part" ]; then\n' +
    '        pass name \'the worker endpoint is an address\'\n' +
    '    elif patiently getent ahosts "$host_part" >/dev/null; then\n' +
    '        pass name "$host_part has an address"\n' +
    '    else\n' +
    '        fail name "$host_part has no address: check the DNS servers of this host"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    '# Certificates are for a time; with a wrong clock none is good, hence the request that trusts any.\n' +
    'clock_is_right() {\n' +
    '    there=$(curl --silent --head --max-time 20 --insecure --noproxy \'*\' "$endpoint" 2>/dev/null | sed -n \'s/^[Dd]ate: *//p\' | tr -d \'\\r\')\n' +
    '    there=$(date -u -d "${there:-unknown}" +%s 2>/dev/null) || return 1\n' +
    '    here=$(date -u +%s)\n' +
    '    difference=$((here > there ? here - there : there - here))\n' +
    '    [ "$difference" -le "$(setting clock)" ]\n' +
    '}\n' +
    '\n' +
    'check_clock() {\n' +
    '    difference=unknown\n' +
    '    if patiently clock_is_right; then\n' +
    '        pass clock "the clock is right within $difference seconds"\n' +
    '        check_expiry\n' +
    '    elif [ "$difference" = unknown ]; then\n' +
    '        fail clock \'the clock cannot be compared: the worker endpoint does not say what time it is\'\n' +
    '    else\n' +
    '        fail clock "the clock is $difference seconds off: check the time servers, or set the clock of the firmware"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    'check_expiry() {\n' +
    '    if [ "$here" -lt "${expiry%% *}" ]; then\n' +
    '        pass expiry "the image may install until ${expiry#* }"\n' +
    '    elif is_forced; then\n' +
    '        warn expiry "the image has expired on ${expiry#* }; coreiso.reinstall installs nevertheless"\n' +
    '    else\n' +
    '        hopeless="the image has expired on ${expiry#* }: build a new one, or boot with the kernel argument coreiso.reinstall=1"\n' +
    '        fail expiry "$hopeless"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    '# Asks as Ignition will on the worker\'s first boot, which knows no proxy either. The answer is full of secrets.\n' +
    'endpoint_serves() {\n' +
    '    code=$(curl --silent --show-error --connect-timeout 10 --max-time 60 --noproxy \'*\' "$@" --header "Accept: $accept" \\\n' +
    '        --output "$state/answer" --write-out \'%{http_code}\' "$endpoint" 2>"$state/answer.err")\n' +
    '    if [ $? -ne 0 ]; then\n' +
    '        message=$(cat "$state/answer.err")\n' +
    '        false\n' +
    '    elif [ "$code" != 200 ]; then\n' +
    '        message="answers with HTTP status $code instead of a config: does the cluster have this machine config pool?"\n' +
    '        false\n' +
    '    elif ! grep -q \'"ignition"\' "$state/answer"; then\n' +
    '        message=\'answers with something that is no Ignition config\'\n' +
    '        false\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    'check_endpoint() {\n' +
    '    accept="application/vnd.coreos.ignition+json;version=$(setting ignition), */*;q=0.1"\n' +
    '    set --\n' +
    '    [ ! -s "$directory/worker-ca.pem" ] || set -- --cacert "$directory/worker-ca.pem"\n' +
    '    if patiently endpoint_serves "$@"; then\n' +
    '        pass endpoint "$endpoint has a config, and its certificate is good"\n' +
    '    else\n' +
    '        fail endpoint "$endpoint: $message"\n' +
    '    fi\n' +
    '    rm -f "$state/answer" "$state/answer.err"\n' +
    '}\n' +
    '\n' +
    'answers() {\n' +
    '    message=$(curl --silent --show-error --head --max-time 20 --output /dev/null "$@" 2>&1)\n' +
    '}\n' +
    '\n' +
    '# With the trust that the cluster has for it, through the proxy or around it: curl does not know networks in NO_PROXY.\n' +
    'registry_answers() {\n' +
    '    set -- "https://$1/v2/" "$ROOT/etc/docker/certs.d/$1/ca.crt"\n' +
    '    answers "$1" || answers --noproxy \'*\' "$1" || {\n' +
    '        [ -s "$2" ] && { answers --cacert "$2" "$1" || answers --noproxy \'*\' --cacert "$2" "$1"; }\n' +
    '    }\n' +
    '}\n' +
    '\n' +
    '# Registries without good certificates, or without any.\n' +
    'insecure_answers() {\n' +
    '    answers --insecure "https://$1/v2/" || answers --insecure --noproxy \'*\' "https://$1/v2/" || answers --noproxy \'*\' "http://$1/v2/"\n' +
    '}\n' +
    '\n' +
    '# Which of several it is does not matter. The worker may reach what the live system cannot, so this stops nobody.\n' +
    'check_registry() {\n' +
    '    messages=\n' +
    '    for registry in $(setting registry); do\n' +
    '        if registry_answers "$registry"; then\n' +
    '            pass registry "registry $registry answers, and its certificate is good"\n' +
    '            return\n' +
    '        fi\n' +
    '        messages="$messages; $registry: $message"\n' +
    '    done\n' +
    '    for registry in $(setting insecure-registry); do\n' +
    '        if insecure_answers "$registry"; then\n' +
    '            pass registry "registry $registry answers; the cluster does not check its certificate"\n' +
    '            return\n' +
    '        fi\n' +
    '        messages="$messages; $registry: $message"\n' +
    '    done\n' +
    '    [ -z "$messages" ] || warn registry "no registry answers from here$messages"\n' +
    '}\n' +
    '\n' +
    '# The worker\'s config, with the host name where there is one. A host may have one of its own, which has its name.\n' +
    'write_config() {\n' +
    '    own=$ROOT/etc/assisted/hostconfig/$name/worker.ign\n' +
    '    if [ -n "$name" ] && [ -f "$own" ]; then\n' +
    '        cat "$own"\n' +
    '    elif [ -z "$hostname" ]; then\n' +
    '        cat "$directory/worker.ign"\n' +
    '    else\n' +
    '        sed "s/__HOSTNAME__/$hostname/" "$directory/worker-named.ign"\n' +
    '    fi >"$state/worker.ign"\n' +
    '}\n' +
    '\n' +
    '# Sets $always and $first to the kernel arguments that the installed system needs as this one did: at every boot, or at its first.\n' +
    '# These are the lists of CoreOS\' own installer service, save that names of interfaces must stay what they are in the profiles, and\n' +
    '# that a disk behind a network needs the network at every boot.\n' +
    'carry_over() {\n' +
    '    always=\n' +
    '    first=\n' +
    '    network=\n' +
    '    is_remote=\n' +
    '    for argument in $(arguments); do\n' +
    '        case ${argument%%=*} in\n' +
    '        rd.dasd | rd.zfcp | rd.znet | zfcp.allow_lun_scan | cio_ignore) always="$always $argument" ;;\n' +
    '        net.ifnames | net.naming-scheme | biosdevname | ipv6.disable) always="$always $argument" ;;\n' +
    '        netroot | rd.iscsi.* | rd.nvmf.*)\n' +
    '            always="$always $argument"\n' +
    '            is_remote=yes\n' +
    '            ;;\n' +
    '        ip | ifname | rd.route | bootdev | BOOTIF | rd.bootif | nameserver | rd.peerdns | vlan | bond | team | bridge | \\\n' +
    '            rd.net.timeout.carrier | coreos.no_persist_ip | coreos.force_persist_ip)\n' +
    '            network="$network $argument"\n' +
    '            ;;\n' +
    '        rd.multipath) [ "$kind" != mpath ] || multipath=$argument ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    if [ -n "$is_remote" ]; then always="$always rd.neednet=1$network"; else first=$network; fi\n' +
    '}\n' +
    '\n' +
    'install_system() {\n' +
    '    multipath=rd.multipath=default\n' +
    '    carry_over\n' +
    '    [ "$kind" != mpath ] || always="$always $multipath root=/dev/disk/by-label/dm-mpath-root rw"\n' +
    '    set -- --copy-network --offline --ignition-file "$state/worker.ign"\n' +
    '    for argument in $always; do\n' +
    '        set -- "$@" --append-karg "$argument"\n' +
    '    done\n' +
    '    [ -z "$first" ] || set -- "$@" --firstboot-args "rd.neednet=1$first"\n' +
    '    : >"$state/writing"\n' +
    '    {\n' +
    '        coreos-installer install "$@" "$device" 2>&1\n' +
    '        printf \'%s\' "$?" >"$state/written"\n' +
    '    } | while IFS= read -r line; do\n' +
    '        printf \'%s\\n\' "$line"\n' +
    '        case $line in\n' +
    '        *\'(\'[0-9]*\'%)\'*)\n' +
    '            progress=${line##*\'(\'}\n' +
    '            progress=${progress%%\'%)\'*}\n' +
    '            tell\n' +
    '            ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    [ "$(cat "$state/written")" = 0 ]\n' +
    '}\n' +
    '\n' +
    '# Leaves word on the new system for a boot from the same medium.\n' +
    'leave_marker() {\n' +
    '    udevadm settle\n' +
    '    partition=$(coreiso-disk part "$device" boot) || return 1\n' +
    '    mount_there "${partition% *}" || return 1\n' +
    '    printf \'host %s\\ninstalled %s\\n\' "$name" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >"$mountpoint/$marker"\n' +
    '    outcome=$?\n' +
    '    umount "$mountpoint" && return "$outcome"\n' +
    '}\n' +
    '\n' +
    '# Prints the loader that firmware should start, as a path on the EFI partition: the vendor\'s, or else the one for any disk.\n' +
    'find_loader() {\n' +
    '    case $(uname -m) in\n' +
    '    aarch64) set -- aa64 AA64 ;;\n' +
    '    *) set -- x64 X64 ;;\n' +
    '    esac\n' +
    '    set +f\n' +
    '    for loader in "$mountpoint"/EFI/*/shim"$1".efi "$mountpoint"/EFI/*/grub"$1".efi "$mountpoint"/EFI/BOOT/BOOT"$2".EFI; do\n' +
    '        case $loader in\n' +
    '        */EFI/BOOT/[sg]*) continue ;;\n' +
    '        esac\n' +
    '        [ ! -e "$loader" ] || break\n' +
    '    done\n' +
    '    set -f\n' +
    '    [ -e "$loader" ] && printf \'%s\' "${loader#"$mountpoint"}" | tr / \'\\\\\'\n' +
    '}\n' +
    '\n' +
    'put_first_efi() {\n' +
    '    partition=$(coreiso-disk part "$device" EFI-SYSTEM) || return 1\n' +
    '    mount_there -o ro "${partition% *}" || return 1\n' +
    '    loader=$(find_loader)\n' +
    '    umount "$mountpoint"\n' +
    '    [ -n "$loader" ] || return 1\n' +
    '    for number in $(efibootmgr | sed -n "s/^Boot\\\\([0-9A-Fa-f]\\\\{4\\\\}\\\\)[* ] *$boot_entry.*/\\\\1/p"); do\n' +
    '        efibootmgr --quiet --bootnum "$number" --delete-bootnum\n' +
    '    done\n' +
    '    efibootmgr --quiet --create --disk "${paths%% *}" --part "${partition#* }" --label "$boot_entry" --loader "$loader"\n' +
    '}\n' +
    '\n' +
    '# Firmware that starts the medium again is stopped by the marker, but somebody would have to come.\n' +
    'put_first() {\n' +
    '    if [ -d "$ROOT/sys/firmware/efi" ]; then\n' +
    '        put_first_efi\n' +
    '    else\n' +
    '        case $(uname -m) in\n' +
    '        ppc64le) bootlist -m normal -o "${paths%% *}" ;;\n' +
    '        # The installer itself has told the machine.\n' +
    '        s390x) ;;\n' +
    '        *) false ;;\n' +
    '        esac\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    'umask 077\n' +
    'mkdir -p "$state" || exit 1\n' +
    'expiry=$(setting expires)\n' +
    'tell\n' +
    'if [ -e "$state/writing" ]; then\n' +
    '    give_up \'this boot has begun to install already; what is wrong must be looked at first\' \\\n' +
    '        \'sudo journalctl -u coreiso-join shows everything; a reboot begins anew\'\n' +
    'fi\n' +
    '[ -s "$state/host" ] || stop \'no host of the plan has a MAC address of this machine\' \\\n' +
    '    \'add one to the interfaces of its host, and build the image again\'\n' +
    'name=$(of_host host)\n' +
    'hostname=$(of_host hostname)\n' +
    'endpoint=$(setting endpoint)\n' +
    'case $hostname in\n' +
    '*[!A-Za-z0-9.-]*)\n' +
    '    hostname=\n' +
    '    fail identity \'the host name of the plan is none\'\n' +
    '    ;;\n' +
    '\'\') pass identity \'this machine is in the plan; its name comes from the network\' ;;\n' +
    '*) pass identity "this machine is $hostname" ;;\n' +
    'esac\n' +
    'check_marker\n' +
    'check_memory\n' +
    'check_disk\n' +
    'check_name\n' +
    'check_clock\n' +
    'check_endpoint\n' +
    'check_registry\n' +
    '[ -z "$hopeless" ] || stop "$hopeless"\n' +
    '[ "$failures" -eq 0 ] || retry_later "checks failed: $failures"\n' +
    '\n' +
    'say "installing to $device"\n' +
    'stage=installing\n' +
    'progress=0\n' +
    'tell\n' +
    'write_config || retry_later \'the config of the worker cannot be written\'\n' +
    'install_system || give_up "the installation to $device failed; this machine stays in the live system" \\\n' +
    '    \'sudo journalctl -u coreiso-join shows why; a reboot begins anew\'\n' +
    'stage=finishing\n' +
    'progress=100\n' +
    'tell\n' +
    'leave_marker || give_up "$device is installed, but a boot from this medium would install it again: remove the medium, then reboot"\n' +
    'put_first || warn boot-order "$device could not be put first in the boot order: remove the medium, or choose the disk in the firmware"\n' +
    'stage=installed\n' +
    'error=\n' +
    'tell\n' +
    'say \'installed; rebooting into the worker\'\n' +
    'systemctl reboot\n',
  'coreiso-network':
    '#!/bin/sh\n' +
    '# Gives this machine the NetworkManager profiles that were made for it. Runs before NetworkManager.\n' +
    '#\n' +
    '# /etc/assisted/network/host<N> holds the profiles of one host and mac_interface.ini, lines of MAC=NAME. A directory is this\n' +
    '# machine\'s if one of its MACs is. Profiles speak of NAME; here they get the name that the interface has on this machine.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /.\n' +
    'set -fu\n' +
    'LC_ALL=C\n' +
    'umask 077\n' +
    '\n' +
    'ROOT=${ROOT:-}\n' +
    'PATH=$ROOT/usr/local/bin:$PATH\n' +
    'networks=$ROOT/etc/assisted/network\n' +
    'staging=$ROOT/run/coreiso/profiles\n' +
    'newline=\'\n' +
    '\'\n' +
    '\n' +
    'log() {\n' +
    '    printf \'coreiso-network: %s\\n\' "$*"\n' +
    '}\n' +
    '\n' +
    '# Sets $pattern to a shell pattern for a MAC in any letter case.\n' +
    'fold_case() {\n' +
    '    pattern=\n' +
    '    rest=$1\n' +
    '    while [ -n "$rest" ]; do\n' +
    '        tail=${rest#?}\n' +
    '        digit=${rest%"$tail"}\n' +
    '        rest=$tail\n' +
    '        case $digit in\n' +
    '        [aA]) digit=\'[aA]\' ;;\n' +
    '        [bB]) digit=\'[bB]\' ;;\n' +
    '        [cC]) digit=\'[cC]\' ;;\n' +
    '        [dD]) digit=\'[dD]\' ;;\n' +
    '        [eE]) digit=\'[eE]\' ;;\n' +
    '        [fF]) digit=\'[fF]\' ;;\n' +
    '        esac\n' +
    '        pattern=$pattern$digit\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# Sets $nics to lines of PATTERN/NAME in the order of the names.\n' +
    'read_nics() {\n' +
    '    nics=\n' +
    '    while read -r mac name; do\n' +
    '        [ -n "$mac" ] || continue\n' +
    '        fold_case "$mac"\n' +
    '        nics=$nics$pattern/$name$newline\n' +
    '    done <<END\n' +
    '$(coreiso-nics)\n' +
    'END\n' +
    '}\n' +
    '\n' +
    '# Sets $real to the interface that has this MAC; of several the last. Fails if there is none.\n' +
    'find_nic() {\n' +
    '    real=\n' +
    '    IFS=$newline\n' +
    '    for nic in $nics; do\n' +
    '        # shellcheck disable=SC2254 # a pattern on purpose\n' +
    '        case $1 in\n' +
    '        ${nic%/*}) real=${nic##*/} ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    unset IFS\n' +
    '    [ -n "$real" ]\n' +
    '}\n' +
    '\n' +
    '# Sets $matched to the directories of this machine.\n' +
    'match_hosts() {\n' +
    '    matched=\n' +
    '    set +f\n' +
    '    set -- "$networks"/host*/mac_interface.ini\n' +
    '    set -f\n' +
    '    for table; do\n' +
    '        [ -f "$table" ] || continue\n' +
    '        while IFS= read -r line || [ -n "$line" ]; do\n' +
    '            find_nic "${line%%=*}" || continue\n' +
    '            matched=$matched${table%/*}$newline\n' +
    '            break\n' +
    '        done <"$table"\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# Sets $names to lines of NAME/REAL for the interfaces that this machine has.\n' +
    'read_names() {\n' +
    '    names=\n' +
    '    while IFS= read -r line || [ -n "$line" ]; do\n' +
    '        name=${line#*=}\n' +
    '        if ! find_nic "${line%%=*}"; then\n' +
    '            log "no interface has ${line%%=*}: profiles keep the name $name"\n' +
    '        elif [ -n "$name" ]; then\n' +
    '            log "$name is $real"\n' +
    '            names=$names$name/$real$newline\n' +
    '        fi\n' +
    '    done <"$1"\n' +
    '}\n' +
    '\n' +
    '# Sets $mapped to a name with the interface it begins with replaced: eth0 or eth0.101. Fails if it begins with none. All names at\n' +
    '# once: what one replacement wrote another must not touch.\n' +
    'map_name() {\n' +
    '    mapped=$1\n' +
    '    longest=\n' +
    '    IFS=$newline\n' +
    '    for entry in $names; do\n' +
    '        name=${entry%/*}\n' +
    '        real=${entry##*/}\n' +
    '        case $1 in\n' +
    '        "$name")\n' +
    '            mapped=$real\n' +
    '            longest=$name\n' +
    '            break\n' +
    '            ;;\n' +
    '        "$name".*)\n' +
    '            [ "${#name}" -gt "${#longest}" ] || continue\n' +
    '            longest=$name\n' +
    '            add_suffix "$real" "${1#"$name".}"\n' +
    '            ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    unset IFS\n' +
    '    [ -n "$longest" ]\n' +
    '}\n' +
    '\n' +
    '# An interface name has at most 15 characters: enp94s0f0np0 and 2507 make enp94s0f0n.2507.\n' +
    'add_suffix() {\n' +
    '    suffix=${2%%.*}\n' +
    '    short=$1\n' +
    '    case $suffix in\n' +
    '    \'\' | *[!A-Za-z0-9_-]* | ??????????????*) ;;\n' +
    '    *) while [ $((${#short} + 1 + ${#suffix})) -gt 15 ]; do short=${short%?}; done ;;\n' +
    '    esac\n' +
    '    mapped=$short.$2\n' +
    '}\n' +
    '\n' +
    '# Sets $mapped to a routing rule with the interfaces that it names replaced.\n' +
    'map_rule() {\n' +
    '    rest="$1 "\n' +
    '    rule=\n' +
    '    before=\n' +
    '    while [ -n "$rest" ]; do\n' +
    '        word=${rest%% *}\n' +
    '        rest=${rest#* }\n' +
    '        mapped=$word\n' +
    '        case $before in\n' +
    '        iif | oif) map_name "$word" ;;\n' +
    '        esac\n' +
    '        rule="$rule $mapped"\n' +
    '        before=$word\n' +
    '    done\n' +
    '    mapped=${rule# }\n' +
    '}\n' +
    '\n' +
    '# Writes a profile under a name of this machine, with the names of interfaces inside it replaced. Other settings have words for\n' +
    '# values that somebody may have called an interface.\n' +
    'stage() {\n' +
    '    section=\n' +
    '    while IFS= read -r line || [ -n "$line" ]; do\n' +
    '        mapped=${line#*=}\n' +
    '        case $line in\n' +
    '        \\[*\\])\n' +
    '            section=${line#?}\n' +
    '            section=${section%?}\n' +
    '            ;;\n' +
    '        *=*)\n' +
    '            case $section/${line%%=*} in\n' +
    '            connection/id | connection/interface-name | connection/master | connection/controller | match/interface-name | \\\n' +
    '                */parent | bond/primary | bond/active_slave | hsr/port1 | hsr/port2) map_name "$mapped" ;;\n' +
    '            ipv[46]/routing-rule*) map_rule "$mapped" ;;\n' +
    '            esac\n' +
    '            line=${line%%=*}=$mapped\n' +
    '            ;;\n' +
    '        esac\n' +
    '        printf \'%s\\n\' "$line"\n' +
    '    done <"$1" >"$staging/$2"\n' +
    '}\n' +
    '\n' +
    '# Profiles called after an interface of this machine come first and replace others; the rest give way.\n' +
    'stage_host() {\n' +
    '    log "this machine is ${1##*/}"\n' +
    '    read_names "$1/mac_interface.ini"\n' +
    '    set +f\n' +
    '    set -- "$1"/*.nmconnection\n' +
    '    set -f\n' +
    '    for profile; do\n' +
    '        [ -f "$profile" ] || continue\n' +
    '        file=${profile##*/}\n' +
    '        map_name "${file%.nmconnection}" || continue\n' +
    '        file=$mapped.nmconnection\n' +
    '        [ ! -e "$staging/$file" ] || log "$file replaces a profile of the same name"\n' +
    '        log "${profile##*/} becomes $file"\n' +
    '        stage "$profile" "$file"\n' +
    '    done\n' +
    '    for profile; do\n' +
    '        [ -f "$profile" ] || continue\n' +
    '        file=${profile##*/}\n' +
    '        if map_name "${file%.nmconnection}"; then\n' +
    '            continue\n' +
    '        elif [ -e "$staging/$file" ]; then\n' +
    '            log "$file is dropped: another profile has that name already"\n' +
    '        else\n' +
    '            log "$file keeps its name"\n' +
    '            stage "$profile" "$file"\n' +
    '        fi\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# What was there goes only now that there is something to take its place.\n' +
    'install_profiles() {\n' +
    '    if [ -e "$ROOT/etc/initrd-release" ]; then\n' +
    '        target=$ROOT/etc/coreos-firstboot-network\n' +
    '    else\n' +
    '        target=$ROOT/etc/NetworkManager/system-connections\n' +
    '    fi\n' +
    '    set +f\n' +
    '    set -- "$staging"/*.nmconnection\n' +
    '    if [ ! -e "$1" ]; then\n' +
    '        log \'there are no profiles to install: the default network stays\'\n' +
    '        return\n' +
    '    fi\n' +
    '    mkdir -p "$target" || exit 1\n' +
    '    rm -f -- "$target"/*\n' +
    '    cp -- "$@" "$target"/ || exit 1\n' +
    '    log "installed $# profiles in ${target#"$ROOT"}"\n' +
    '}\n' +
    '\n' +
    'if [ ! -d "$networks" ]; then\n' +
    '    log "there is no ${networks#"$ROOT"}: nothing to do"\n' +
    '    exit 0\n' +
    'fi\n' +
    'read_nics\n' +
    'match_hosts\n' +
    'if [ -z "$matched" ]; then\n' +
    '    log \'no host has a MAC address of this machine: the default network stays\'\n' +
    '    exit 0\n' +
    'fi\n' +
    'rm -rf "$staging" && mkdir -p "$staging" || exit 1\n' +
    'IFS=$newline\n' +
    'for directory in $matched; do\n' +
    '    unset IFS\n' +
    '    stage_host "$directory"\n' +
    'done\n' +
    'install_profiles\n' +
    'rm -rf "$staging"\n',
  'coreiso-nics':
    '#!/bin/sh\n' +
    '# Prints the network cards of this machine, "MAC NAME" each, in the order of their names. The addresses are the cards\' own, in lower\n' +
    '# case: a port of a bond has the address of the bond, and a card may have been given another one.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /.\n' +
    'set -u\n' +
    'LC_ALL=C\n' +
    'export LC_ALL\n' +
    'ROOT=${ROOT:-}\n' +
    '\n' +
    '# Devices on top of cards borrow the address of one.\n' +
    'is_virtual() {\n' +
    '    [ -d "$1/bonding" ] || [ -d "$1/bridge" ] ||\n' +
    '        grep -qE \'^DEVTYPE=(bond|bridge|hsr|ipvlan|macvlan|macvtap|team|vlan|vxlan)$\' "$1/uevent" 2>/dev/null\n' +
    '}\n' +
    '\n' +
    '# Sets $mac to the permanent address of a card. An address that somebody has set is of type 3.\n' +
    'read_mac() {\n' +
    '    mac=\n' +
    '    { read -r mac <"$1/bonding_slave/perm_hwaddr"; } 2>/dev/null && return\n' +
    '    origin=\n' +
    '    { read -r origin <"$1/addr_assign_type"; } 2>/dev/null\n' +
    '    if [ "$origin" = 3 ]; then\n' +
    '        mac=$(ethtool -P "${1##*/}" 2>/dev/null | sed -n \'s/^Permanent address: //p\')\n' +
    '        case $mac in *[!0:]*) return ;; esac\n' +
    '    fi\n' +
    '    { read -r mac <"$1/address"; } 2>/dev/null\n' +
    '}\n' +
    '\n' +
    'for nic in "$ROOT"/sys/class/net/*; do\n' +
    '    name=${nic##*/}\n' +
    '    [ "$name" != lo ] && ! is_virtual "$nic" || continue\n' +
    '    read_mac "$nic"\n' +
    '    case $mac in\n' +
    '    *[!0:]*) printf \'%s %s\\n\' "$mac" "$name" ;;\n' +
    '    esac\n' +
    'done | sed \'h;s/ .*//;y/ABCDEF/abcdef/;G;s/\\n[^ ]*//\'\n',
  'coreiso-status':
    '#!/bin/sh\n' +
    '# Answers the one HTTP request on standard input: GET /status, with the token of the image as bearer, gets the status of this\n' +
    '# machine. Whoever lacks the token gets 404, whatever they ask.\n' +
    '#\n' +
    '# $CREDENTIALS_DIRECTORY has both as they are at this moment, in the files token and status. No more than 8 KiB are read, byte by\n' +
    '# byte, as a request may come in pieces and its end is no end of the stream. The unit limits the time.\n' +
    'set -fu\n' +
    'LC_ALL=C\n' +
    'export LC_ALL\n' +
    '# Strangers shall not fill the journal.\n' +
    'exec 2>/dev/null\n' +
    'credentials=${CREDENTIALS_DIRECTORY:-/nonexistent}\n' +
    'cr=$(printf \'\\r\')\n' +
    'newline=\'\n' +
    '\'\n' +
    '\n' +
    '# Sets $method, $target and $bearer to those of a whole request.\n' +
    'read_request() {\n' +
    '    bearer=\n' +
    '    read -r method target version || return 1\n' +
    '    case ${version%"$cr"} in\n' +
    '    HTTP/1.[01]) ;;\n' +
    '    *) return 1 ;;\n' +
    '    esac\n' +
    '    while IFS= read -r line; do\n' +
    '        line=${line%"$cr"}\n' +
    '        case $line in\n' +
    '        \'\') return ;;\n' +
    '        [Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]:*)\n' +
    '            # A scheme and a token, with any blanks around them.\n' +
    '            set -- ${line#*:}\n' +
    '            bearer=\n' +
    '            case ${1:-} in [Bb][Ee][Aa][Rr][Ee][Rr]) bearer=${2:-} ;; esac\n' +
    '            ;;\n' +
    '        esac\n' +
    '    done\n' +
    '    return 1\n' +
    '}\n' +
    '\n' +
    '# Whether the request has the token, which is one line without blanks.\n' +
    'is_trusted() {\n' +
    '    token=\n' +
    '    read -r token <"$credentials/token"\n' +
    '    [ -n "$token" ] && [ "$bearer" = "$token" ]\n' +
    '}\n' +
    '\n' +
    '# Sends a status, more headers, and a file.\n' +
    'answer() {\n' +
    '    printf \'HTTP/1.1 %s\\r\\n%sContent-Length: %d\\r\\nCache-Control: no-store\\r\\nConnection: close\\r\\n\\r\\n\' "$1" "$2" "$(wc -c <"$3")"\n' +
    '    cat "$3"\n' +
    '}\n' +
    '\n' +
    'respond() {\n' +
    '    if ! read_request || ! is_trusted || [ "$target" != /status ]; then\n' +
    '        answer \'404 Not Found\' \'\' /dev/null\n' +
    '    elif [ "$method" != GET ]; then\n' +
    '        answer \'405 Method Not Allowed\' "Allow: GET$cr$newline" /dev/null\n' +
    '    else\n' +
    '        answer \'200 OK\' "Content-Type: application/json$cr$newline" "$credentials/status"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    '# The reader would wait for more than the request, so it is ended.\n' +
    'sh -c \'echo "$$"; exec dd bs=1 count=8192\' | {\n' +
    '    read -r reader\n' +
    '    respond\n' +
    '    kill "$reader"\n' +
    '}\n',
};
