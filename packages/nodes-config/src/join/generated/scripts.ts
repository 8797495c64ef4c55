// Generated from the shell scripts by packages/nodes-config/scripts/generate.mjs. Do not edit.

/** The programs that an image brings along. */
export type ScriptName = 'coreiso-disk' | 'coreiso-host' | 'coreiso-hostname' | 'coreiso-join' | 'coreiso-network';

export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
  'coreiso-disk':
    '#!/bin/sh\n' +
    '# Chooses the disk to install to. Reads root device hints from standard input, "NAME VALUE" each, and prints the one disk that all\n' +
    '# of them fit as "DEVICE SIZE TYPE". Fails, saying why, if none does or several do: a disk is never guessed.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /.\n' +
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
    'hints=$(cat)\n' +
    'disks=$(lsblk --bytes --pairs --paths \\\n' +
    '    --output NAME,KNAME,PKNAME,TYPE,SIZE,RO,ROTA,FSTYPE,MOUNTPOINT,HCTL,MODEL,VENDOR,SERIAL,WWN) || refuse \'lsblk failed\'\n' +
    '\n' +
    '# Sets $field to a column of $disk. What would end the quotes early is escaped by lsblk.\n' +
    'column() {\n' +
    '    field=${disk#*" $1=\\""}\n' +
    '    field=${field%%\\"*}\n' +
    '}\n' +
    '\n' +
    '# Whether $disk can be written at all: no optical drive, no memory disk, not what this system runs from.\n' +
    'is_eligible() {\n' +
    '    column NAME\n' +
    '    name=$field\n' +
    '    case $name in\n' +
    '    /dev/zram* | /dev/ram* | /dev/fd*) return 1 ;;\n' +
    '    esac\n' +
    '    case $mounted in\n' +
    '    *"$newline$name$newline"*) return 1 ;;\n' +
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
    '        case $field in *"$2"*) ;; *) false ;; esac\n' +
    '        ;;\n' +
    '    vendor)\n' +
    '        column VENDOR\n' +
    '        case $field in *"$2"*) ;; *) false ;; esac\n' +
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
    '# A path of a multipath device stands for the device: prints the line that lsblk has for it.\n' +
    'multipath_of() {\n' +
    '    set +f\n' +
    '    set -- "$ROOT/sys/class/block/${1##*/}/holders"/*\n' +
    '    set -f\n' +
    '    for holder; do\n' +
    '        IFS=$newline\n' +
    '        for disk in $disks; do\n' +
    '            unset IFS\n' +
    '            case " $disk" in\n' +
    '            *" KNAME=\\"/dev/${holder##*/}\\""*\' TYPE="mpath"\'*) printf \'%s\\n\' "$disk" ;;\n' +
    '            esac\n' +
    '        done\n' +
    '        unset IFS\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    'mounted=$newline\n' +
    'IFS=$newline\n' +
    'for disk in $disks; do\n' +
    '    disk=" $disk"\n' +
    '    column MOUNTPOINT\n' +
    '    [ -n "$field" ] || continue\n' +
    '    column NAME\n' +
    '    mounted=$mounted$field$newline\n' +
    '    column PKNAME\n' +
    '    mounted=$mounted$field$newline\n' +
    'done\n' +
    '\n' +
    'chosen=\n' +
    'count=0\n' +
    'for disk in $disks; do\n' +
    '    unset IFS\n' +
    '    disk=" $disk"\n' +
    '    is_eligible && fits_all || continue\n' +
    '    column NAME\n' +
    '    multipath=$(multipath_of "$field")\n' +
    '    [ -z "$multipath" ] || disk=" $multipath"\n' +
    '    column NAME\n' +
    '    name=$field\n' +
    '    column SIZE\n' +
    '    size=$field\n' +
    '    column TYPE\n' +
    '    case "$newline$chosen" in\n' +
    '    *"$newline$name "*) continue ;;\n' +
    '    esac\n' +
    '    chosen="$chosen$name $size $field$newline"\n' +
    '    count=$((count + 1))\n' +
    'done\n' +
    '\n' +
    'case $count in\n' +
    '0) refuse \'no disk fits the root device hints\' ;;\n' +
    '1) printf \'%s\' "$chosen" ;;\n' +
    '*) refuse "several disks fit the root device hints:$(printf \'%s\' "$chosen" | sed \'s/^\\([^ ]*\\).*/ \\1/\' | tr -d \'\\n\'); add a hint" ;;\n' +
    'esac\n',
  'coreiso-host':
    '#!/bin/sh\n' +
    '# Prints what /etc/coreiso/hosts says of this machine: the lines of the first host that has one of its MACs, "KEY VALUE" each.\n' +
    '# Fails if there is none.\n' +
    '#\n' +
    '# The file lists hosts one after the other, each begun by a line "host NAME"; MACs are in lower case. ROOT puts another tree in\n' +
    '# place of /.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    '\n' +
    'macs=\' \'\n' +
    'for nic in "$ROOT"/sys/class/net/*; do\n' +
    '    mac=\n' +
    '    { read -r mac <"$nic/address"; } 2>/dev/null\n' +
    '    case ${nic##*/}/$mac in\n' +
    '    lo/*) ;;\n' +
    '    */*[!0:]*) macs="$macs$mac " ;;\n' +
    '    esac\n' +
    'done\n' +
    'macs=$(printf \'%s\' "$macs" | sed \'y/ABCDEF/abcdef/\')\n' +
    '\n' +
    'entry=\n' +
    'found=\n' +
    'newline=\'\n' +
    '\'\n' +
    'while read -r key value; do\n' +
    '    if [ "$key" = host ]; then\n' +
    '        [ -z "$found" ] || break\n' +
    '        entry=\n' +
    '    fi\n' +
    '    entry="$entry$key $value$newline"\n' +
    '    case $key/$macs in\n' +
    '    mac/*" $value "*) found=yes ;;\n' +
    '    esac\n' +
    'done <"$ROOT/etc/coreiso/hosts"\n' +
    '[ -n "$found" ] || exit 1\n' +
    'printf \'%s\' "$entry"\n',
  'coreiso-hostname':
    '#!/bin/sh\n' +
    '# Sets the host name that the plan gives this machine, whichever of its interfaces is there. Runs before NetworkManager, which\n' +
    '# would take one from DHCP.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /.\n' +
    'set -u\n' +
    'ROOT=${ROOT:-}\n' +
    'PATH=$ROOT/usr/local/bin:$PATH\n' +
    '\n' +
    'hostname=$(coreiso-host | sed -n \'s/^hostname //p\')\n' +
    'if [ -z "$hostname" ]; then\n' +
    '    echo \'coreiso-hostname: the plan has no host name for this machine\'\n' +
    '    exit 0\n' +
    'fi\n' +
    'echo "coreiso-hostname: this machine is $hostname"\n' +
    'printf \'%s\\n\' "$hostname" >"$ROOT/etc/hostname" || exit 1\n' +
    'printf \'%s\' "$hostname" >"$ROOT/proc/sys/kernel/hostname"\n',
  'coreiso-join':
    '#!/bin/sh\n' +
    '# Makes this machine a worker: checks what it needs, writes the system to its disk, reboots. Every check prints its verdict; nothing\n' +
    '# is written unless all have passed, and a failure concerns this machine only.\n' +
    '#\n' +
    '# /etc/coreiso/join has the settings, "KEY VALUE" each. ROOT puts another tree in place of /; TRIES and PAUSE say how often, and\n' +
    '# after how many seconds, something on the network is tried again.\n' +
    'set -fu\n' +
    'ROOT=${ROOT:-}\n' +
    'TRIES=${TRIES:-12}\n' +
    'PAUSE=${PAUSE:-5}\n' +
    'PATH=$ROOT/usr/local/bin:$PATH\n' +
    'directory=$ROOT/etc/coreiso\n' +
    'failures=0\n' +
    '\n' +
    'say() {\n' +
    '    printf \'coreiso-join: %s\\n\' "$*"\n' +
    '}\n' +
    '\n' +
    'pass() {\n' +
    '    say "pass: $*"\n' +
    '}\n' +
    '\n' +
    'fail() {\n' +
    '    say "FAIL: $*"\n' +
    '    failures=$((failures + 1))\n' +
    '}\n' +
    '\n' +
    'stop() {\n' +
    '    say "$*"\n' +
    '    say \'nothing was written; this machine stays in the live system\'\n' +
    '    exit 1\n' +
    '}\n' +
    '\n' +
    '# Prints the values of a key.\n' +
    'setting() {\n' +
    '    sed -n "s/^$1 //p" "$directory/join"\n' +
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
    '# Asks for the headers of a page; whatever the answer, it came. Sets $message to the last thing curl said.\n' +
    'answers() {\n' +
    '    message=$(head_of --output /dev/null "$@" 2>&1)\n' +
    '}\n' +
    '\n' +
    'head_of() {\n' +
    '    curl --silent --show-error --head --max-time 20 "$@"\n' +
    '}\n' +
    '\n' +
    'check_name() {\n' +
    '    name=$(setting endpoint-name)\n' +
    '    if [ -z "$name" ]; then\n' +
    '        pass \'the worker endpoint is an address\'\n' +
    '    elif patiently getent ahosts "$name" >/dev/null; then\n' +
    '        pass "$name has an address"\n' +
    '    else\n' +
    '        fail "$name has no address: check the DNS servers of this host"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    '# The worker\'s own first boot knows no proxy either.\n' +
    'check_endpoint() {\n' +
    '    set --\n' +
    '    [ ! -s "$directory/worker-ca.pem" ] || set -- --cacert "$directory/worker-ca.pem"\n' +
    '    if patiently answers --noproxy \'*\' "$@" "$endpoint"; then\n' +
    '        pass "$endpoint answers, and its certificate is good"\n' +
    '    else\n' +
    '        fail "$endpoint: $message"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    '# Which of several it is does not matter.\n' +
    'check_registry() {\n' +
    '    registries=$(setting registry)\n' +
    '    [ -n "$registries" ] || return 0\n' +
    '    for registry in $registries; do\n' +
    '        if patiently answers "https://$registry/v2/"; then\n' +
    '            pass "registry $registry answers, and its certificate is good"\n' +
    '            return\n' +
    '        fi\n' +
    '        say "registry $registry: $message"\n' +
    '    done\n' +
    '    fail \'no registry answers\'\n' +
    '}\n' +
    '\n' +
    '# Certificates are for a time; with a wrong clock none is good, hence the request that trusts any.\n' +
    'clock_is_right() {\n' +
    '    there=$(head_of --insecure --noproxy \'*\' "$endpoint" 2>/dev/null | sed -n \'s/^[Dd]ate: *//p\' | tr -d \'\\r\')\n' +
    '    there=$(date -u -d "${there:-unknown}" +%s 2>/dev/null) || return 1\n' +
    '    here=$(date -u +%s)\n' +
    '    difference=$((here > there ? here - there : there - here))\n' +
    '    [ "$difference" -le "$(setting clock)" ]\n' +
    '}\n' +
    '\n' +
    'check_clock() {\n' +
    '    difference=unknown\n' +
    '    if patiently clock_is_right; then\n' +
    '        pass "the clock is right within $difference seconds"\n' +
    '    elif [ "$difference" = unknown ]; then\n' +
    '        fail \'the clock cannot be compared: the worker endpoint does not say what time it is\'\n' +
    '    else\n' +
    '        fail "the clock is $difference seconds off: check the time servers, or set the clock of the firmware"\n' +
    '    fi\n' +
    '}\n' +
    '\n' +
    'check_memory() {\n' +
    '    have=$(($(sed -n \'s/^MemTotal: *\\([0-9]*\\) kB$/\\1/p\' "$ROOT/proc/meminfo") / 1024))\n' +
    '    need=$(setting memory)\n' +
    '    if [ "$have" -ge "$need" ]; then pass "$have MiB of memory"; else fail "$have MiB of memory; a worker needs $need"; fi\n' +
    '}\n' +
    '\n' +
    'check_disk() {\n' +
    '    if ! found=$(printf \'%s\\n\' "$host" | sed -n \'s/^hint //p\' | coreiso-disk 2>&1); then\n' +
    '        fail "disk: $found"\n' +
    '        return\n' +
    '    fi\n' +
    '    device=${found%% *}\n' +
    '    kind=${found##* }\n' +
    '    size=${found#* }\n' +
    '    have=$((${size%% *} / 1000000000))\n' +
    '    need=$(setting disk)\n' +
    '    if [ "$have" -ge "$need" ]; then pass "$device has $have GB"; else fail "$device has $have GB; a worker needs $need"; fi\n' +
    '}\n' +
    '\n' +
    '# The worker\'s config, with the host name where there is one.\n' +
    'write_config() {\n' +
    '    mkdir -p "$ROOT/run/coreiso" || return 1\n' +
    '    if [ -z "$hostname" ]; then\n' +
    '        cat "$directory/worker.ign"\n' +
    '    else\n' +
    '        sed "s/__HOSTNAME__/$hostname/" "$directory/worker-named.ign"\n' +
    '    fi >"$ROOT/run/coreiso/worker.ign"\n' +
    '}\n' +
    '\n' +
    'install_system() {\n' +
    '    set -- --copy-network --ignition-file "$ROOT/run/coreiso/worker.ign"\n' +
    '    if [ "$kind" = mpath ]; then\n' +
    '        set -- "$@" --append-karg rd.multipath=default --append-karg root=/dev/disk/by-label/dm-mpath-root --append-karg rw\n' +
    '    fi\n' +
    '    coreos-installer install "$@" "$device"\n' +
    '}\n' +
    '\n' +
    'host=$(coreiso-host) || stop \'no host of the plan has a MAC address of this machine\'\n' +
    'hostname=$(printf \'%s\\n\' "$host" | sed -n \'s/^hostname //p\')\n' +
    'endpoint=$(setting endpoint)\n' +
    'case $hostname in\n' +
    '*[!A-Za-z0-9.-]*) fail "$hostname is no host name" ;;\n' +
    '\'\') pass \'this machine is in the plan; its name comes from the network\' ;;\n' +
    '*) pass "this machine is $hostname" ;;\n' +
    'esac\n' +
    'check_memory\n' +
    'check_disk\n' +
    'check_name\n' +
    'check_endpoint\n' +
    'check_clock\n' +
    'check_registry\n' +
    '[ "$failures" -eq 0 ] || stop "checks failed: $failures"\n' +
    '\n' +
    'say "installing to $device"\n' +
    'umask 077\n' +
    'write_config || stop \'the config of the worker cannot be written\'\n' +
    'if ! install_system; then\n' +
    '    say "the installation to $device failed; this machine stays in the live system"\n' +
    '    exit 1\n' +
    'fi\n' +
    'say \'installed; rebooting into the worker\'\n' +
    'systemctl reboot\n',
  'coreiso-network':
    '#!/bin/sh\n' +
    '# Gives this machine the NetworkManager profiles that were made for it. Runs before NetworkManager.\n' +
    '#\n' +
    '# /etc/assisted/network/host<N> holds the profiles of one host and mac_interface.ini, lines of MAC=NAME. A directory is this\n' +
    '# machine\'s if one of its MACs is. Profiles speak of NAME; here they get the name that the interface has on this machine.\n' +
    '#\n' +
    '# ROOT puts another tree in place of /, NIC_WAIT and NIC_QUIET are seconds. Needs no program but cp, mkdir, rm and sleep.\n' +
    'set -fu\n' +
    'LC_ALL=C\n' +
    'umask 077\n' +
    '\n' +
    'ROOT=${ROOT:-}\n' +
    'NIC_WAIT=${NIC_WAIT:-30}\n' +
    'NIC_QUIET=${NIC_QUIET:-5}\n' +
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
    '# Sets $nics to lines of PATTERN/NAME in the order of the names. Loopback and interfaces without an address are none.\n' +
    'read_nics() {\n' +
    '    nics=\n' +
    '    set +f\n' +
    '    set -- "$ROOT"/sys/class/net/*\n' +
    '    set -f\n' +
    '    for nic; do\n' +
    '        mac=\n' +
    '        { read -r mac <"$nic/address"; } 2>/dev/null\n' +
    '        case ${nic##*/}/$mac in\n' +
    '        lo/*) continue ;;\n' +
    '        */*[!0:]*) ;;\n' +
    '        *) continue ;;\n' +
    '        esac\n' +
    '        fold_case "$mac"\n' +
    '        nics=$nics$pattern/${nic##*/}$newline\n' +
    '    done\n' +
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
    '# Sets $matched to the directories of this machine, and $absent to those of their MACs that no interface has.\n' +
    'match_hosts() {\n' +
    '    matched=\n' +
    '    absent=\n' +
    '    set +f\n' +
    '    set -- "$networks"/host*/mac_interface.ini\n' +
    '    set -f\n' +
    '    for table; do\n' +
    '        [ -f "$table" ] || continue\n' +
    '        present=\n' +
    '        missing=\n' +
    '        while IFS= read -r line || [ -n "$line" ]; do\n' +
    '            if find_nic "${line%%=*}"; then present=yes; else missing="$missing ${line%%=*}"; fi\n' +
    '        done <"$table"\n' +
    '        [ -n "$present" ] || continue\n' +
    '        matched=$matched${table%/*}$newline\n' +
    '        absent=$absent$missing\n' +
    '    done\n' +
    '}\n' +
    '\n' +
    '# Waits until every MAC of this machine\'s host has an interface: at most NIC_WAIT seconds, and no longer than interfaces keep coming.\n' +
    'wait_for_nics() {\n' +
    '    waited=0\n' +
    '    quiet=0\n' +
    '    read_nics\n' +
    '    match_hosts\n' +
    '    while [ -z "$matched" ] || [ -n "$absent" ]; do\n' +
    '        if [ "$waited" -ge "$NIC_WAIT" ] || [ "$quiet" -ge "$NIC_QUIET" ]; then\n' +
    '            [ -z "$absent" ] || log "gave up waiting for$absent after $waited seconds"\n' +
    '            return\n' +
    '        fi\n' +
    '        sleep 1\n' +
    '        waited=$((waited + 1))\n' +
    '        quiet=$((quiet + 1))\n' +
    '        before=$nics\n' +
    '        read_nics\n' +
    '        [ "$nics" = "$before" ] || quiet=0\n' +
    '        match_hosts\n' +
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
    '# Writes a profile under a name of this machine, with the names inside it replaced. Domain names are no interfaces.\n' +
    'stage() {\n' +
    '    while IFS= read -r line || [ -n "$line" ]; do\n' +
    '        case $line in\n' +
    '        dhcp-fqdn=* | dhcp-hostname=* | dns-search=*) ;;\n' +
    '        *=*)\n' +
    '            map_name "${line#*=}"\n' +
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
    'wait_for_nics\n' +
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
};
