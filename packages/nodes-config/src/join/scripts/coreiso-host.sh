#!/bin/sh
# Prints what /etc/coreiso/hosts says of this machine: the lines of the first host that has one of its MACs, "KEY VALUE" each.
# Fails if there is none.
#
# The file lists hosts one after the other, each begun by a line "host NAME"; MACs are in lower case. ROOT puts another tree in
# place of /.
set -u
ROOT=${ROOT:-}

macs=' '
for nic in "$ROOT"/sys/class/net/*; do
    mac=
    { read -r mac <"$nic/address"; } 2>/dev/null
    case ${nic##*/}/$mac in
    lo/*) ;;
    */*[!0:]*) macs="$macs$mac " ;;
    esac
done
macs=$(printf '%s' "$macs" | sed 'y/ABCDEF/abcdef/')

entry=
found=
newline='
'
while read -r key value; do
    if [ "$key" = host ]; then
        [ -z "$found" ] || break
        entry=
    fi
    entry="$entry$key $value$newline"
    case $key/$macs in
    mac/*" $value "*) found=yes ;;
    esac
done <"$ROOT/etc/coreiso/hosts"
[ -n "$found" ] || exit 1
printf '%s' "$entry"
