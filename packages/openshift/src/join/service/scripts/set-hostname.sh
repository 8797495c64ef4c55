#!/bin/sh
# Gives this machine the host name that belongs to the MAC address of one of its cards.
set -u
LC_ALL=C
ROOT=${ROOT:-}

for card in "$ROOT"/sys/class/net/*; do
    [ "${card##*/}" != lo ] && read -r mac <"$card/address" || continue
    file=$ROOT/etc/assisted/hostnames/$(printf '%s' "$mac" | tr 'A-F' 'a-f')
    [ -n "$mac" ] && [ -f "$file" ] || continue
    name=$(cat "$file")
    case $name in
    '' | [.-]* | *[!A-Za-z0-9.-]*)
        echo "set-hostname.sh: what is meant for $mac is no host name"
        exit 1
        ;;
    esac
    echo "set-hostname.sh: the machine with $mac is called $name"
    hostnamectl set-hostname "$name"
    exit
done
echo 'set-hostname.sh: no name is meant for this machine'
