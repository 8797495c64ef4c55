#!/bin/sh
# Gives this machine the NetworkManager profiles that were made for it. Runs before NetworkManager.
#
# /etc/assisted/network/host<N> holds the profiles of one host and mac_interface.ini, lines of MAC=NAME. A directory is this
# machine's if one of its MACs is. Profiles speak of NAME; here they get the name that the interface has on this machine.
#
# ROOT puts another tree in place of /.
set -fu
LC_ALL=C
umask 077

ROOT=${ROOT:-}
PATH=$ROOT/usr/local/bin:$PATH
networks=$ROOT/etc/assisted/network
staging=$ROOT/run/coreiso/profiles
newline='
'

log() {
    printf 'coreiso-network: %s\n' "$*"
}

# Sets $pattern to a shell pattern for a MAC in any letter case.
fold_case() {
    pattern=
    rest=$1
    while [ -n "$rest" ]; do
        tail=${rest#?}
        digit=${rest%"$tail"}
        rest=$tail
        case $digit in
        [aA]) digit='[aA]' ;;
        [bB]) digit='[bB]' ;;
        [cC]) digit='[cC]' ;;
        [dD]) digit='[dD]' ;;
        [eE]) digit='[eE]' ;;
        [fF]) digit='[fF]' ;;
        esac
        pattern=$pattern$digit
    done
}

# Sets $nics to lines of PATTERN/NAME in the order of the names.
read_nics() {
    nics=
    while read -r mac name; do
        [ -n "$mac" ] || continue
        fold_case "$mac"
        nics=$nics$pattern/$name$newline
    done <<END
$(coreiso-nics)
END
}

# Sets $real to the interface that has this MAC; of several the last. Fails if there is none.
find_nic() {
    real=
    IFS=$newline
    for nic in $nics; do
        # shellcheck disable=SC2254 # a pattern on purpose
        case $1 in
        ${nic%/*}) real=${nic##*/} ;;
        esac
    done
    unset IFS
    [ -n "$real" ]
}

# Sets $matched to the directories of this machine.
match_hosts() {
    matched=
    set +f
    set -- "$networks"/host*/mac_interface.ini
    set -f
    for table; do
        [ -f "$table" ] || continue
        while IFS= read -r line || [ -n "$line" ]; do
            find_nic "${line%%=*}" || continue
            matched=$matched${table%/*}$newline
            break
        done <"$table"
    done
}

# Sets $names to lines of NAME/REAL for the interfaces that this machine has.
read_names() {
    names=
    while IFS= read -r line || [ -n "$line" ]; do
        name=${line#*=}
        if ! find_nic "${line%%=*}"; then
            log "no interface has ${line%%=*}: profiles keep the name $name"
        elif [ -n "$name" ]; then
            log "$name is $real"
            names=$names$name/$real$newline
        fi
    done <"$1"
}

# Sets $mapped to a name with the interface it begins with replaced: eth0 or eth0.101. Fails if it begins with none. All names at
# once: what one replacement wrote another must not touch.
map_name() {
    mapped=$1
    longest=
    IFS=$newline
    for entry in $names; do
        name=${entry%/*}
        real=${entry##*/}
        case $1 in
        "$name")
            mapped=$real
            longest=$name
            break
            ;;
        "$name".*)
            [ "${#name}" -gt "${#longest}" ] || continue
            longest=$name
            add_suffix "$real" "${1#"$name".}"
            ;;
        esac
    done
    unset IFS
    [ -n "$longest" ]
}

# An interface name has at most 15 characters: enp94s0f0np0 and 2507 make enp94s0f0n.2507.
add_suffix() {
    suffix=${2%%.*}
    short=$1
    case $suffix in
    '' | *[!A-Za-z0-9_-]* | ??????????????*) ;;
    *) while [ $((${#short} + 1 + ${#suffix})) -gt 15 ]; do short=${short%?}; done ;;
    esac
    mapped=$short.$2
}

# Sets $mapped to a routing rule with the interfaces that it names replaced.
map_rule() {
    rest="$1 "
    rule=
    before=
    while [ -n "$rest" ]; do
        word=${rest%% *}
        rest=${rest#* }
        mapped=$word
        case $before in
        iif | oif) map_name "$word" ;;
        esac
        rule="$rule $mapped"
        before=$word
    done
    mapped=${rule# }
}

# Writes a profile under a name of this machine, with the names of interfaces inside it replaced. Other settings have words for
# values that somebody may have called an interface.
stage() {
    section=
    while IFS= read -r line || [ -n "$line" ]; do
        mapped=${line#*=}
        case $line in
        \[*\])
            section=${line#?}
            section=${section%?}
            ;;
        *=*)
            case $section/${line%%=*} in
            connection/id | connection/interface-name | connection/master | connection/controller | match/interface-name | \
                */parent | bond/primary | bond/active_slave | hsr/port1 | hsr/port2) map_name "$mapped" ;;
            ipv[46]/routing-rule*) map_rule "$mapped" ;;
            esac
            line=${line%%=*}=$mapped
            ;;
        esac
        printf '%s\n' "$line"
    done <"$1" >"$staging/$2"
}

# Profiles called after an interface of this machine come first and replace others; the rest give way.
stage_host() {
    log "this machine is ${1##*/}"
    read_names "$1/mac_interface.ini"
    set +f
    set -- "$1"/*.nmconnection
    set -f
    for profile; do
        [ -f "$profile" ] || continue
        file=${profile##*/}
        map_name "${file%.nmconnection}" || continue
        file=$mapped.nmconnection
        [ ! -e "$staging/$file" ] || log "$file replaces a profile of the same name"
        log "${profile##*/} becomes $file"
        stage "$profile" "$file"
    done
    for profile; do
        [ -f "$profile" ] || continue
        file=${profile##*/}
        if map_name "${file%.nmconnection}"; then
            continue
        elif [ -e "$staging/$file" ]; then
            log "$file is dropped: another profile has that name already"
        else
            log "$file keeps its name"
            stage "$profile" "$file"
        fi
    done
}

# What was there goes only now that there is something to take its place.
install_profiles() {
    if [ -e "$ROOT/etc/initrd-release" ]; then
        target=$ROOT/etc/coreos-firstboot-network
    else
        target=$ROOT/etc/NetworkManager/system-connections
    fi
    set +f
    set -- "$staging"/*.nmconnection
    if [ ! -e "$1" ]; then
        log 'there are no profiles to install: the default network stays'
        return
    fi
    mkdir -p "$target" || exit 1
    rm -f -- "$target"/*
    cp -- "$@" "$target"/ || exit 1
    log "installed $# profiles in ${target#"$ROOT"}"
}

if [ ! -d "$networks" ]; then
    log "there is no ${networks#"$ROOT"}: nothing to do"
    exit 0
fi
read_nics
match_hosts
if [ -z "$matched" ]; then
    log 'no host has a MAC address of this machine: the default network stays'
    exit 0
fi
rm -rf "$staging" && mkdir -p "$staging" || exit 1
IFS=$newline
for directory in $matched; do
    unset IFS
    stage_host "$directory"
done
install_profiles
rm -rf "$staging"
