#!/bin/sh
# Prints the network cards of this machine, "MAC NAME" each, in the order of their names. The addresses are the cards' own, in lower
# case: a port of a bond has the address of the bond, and a card may have been given another one.
#
# ROOT puts another tree in place of /.
set -u
LC_ALL=C
export LC_ALL
ROOT=${ROOT:-}

# Devices on top of cards borrow the address of one.
is_virtual() {
    [ -d "$1/bonding" ] || [ -d "$1/bridge" ] ||
        grep -qE '^DEVTYPE=(bond|bridge|hsr|ipvlan|macvlan|macvtap|team|vlan|vxlan)$' "$1/uevent" 2>/dev/null
}

# Sets $mac to the permanent address of a card. An address that somebody has set is of type 3.
read_mac() {
    mac=
    { read -r mac <"$1/bonding_slave/perm_hwaddr"; } 2>/dev/null && return
    origin=
    { read -r origin <"$1/addr_assign_type"; } 2>/dev/null
    if [ "$origin" = 3 ]; then
        mac=$(ethtool -P "${1##*/}" 2>/dev/null | sed -n 's/^Permanent address: //p')
        case $mac in *[!0:]*) return ;; esac
    fi
    { read -r mac <"$1/address"; } 2>/dev/null
}

for nic in "$ROOT"/sys/class/net/*; do
    name=${nic##*/}
    [ "$name" != lo ] && ! is_virtual "$nic" || continue
    read_mac "$nic"
    case $mac in
    *[!0:]*) printf '%s %s\n' "$mac" "$name" ;;
    esac
done | sed 'h;s/ .*//;y/ABCDEF/abcdef/;G;s/\n[^ ]*//'
