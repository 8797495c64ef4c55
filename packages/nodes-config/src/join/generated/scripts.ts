// Generated from the shell scripts by packages/nodes-config/scripts/generate.mjs. Do not edit.

/** The programs that an image brings along. */
export type ScriptName = 'coreiso-host' | 'coreiso-hostname' | 'coreiso-network';

export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
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
