#!/bin/sh
# Sets the host name that the plan gives this machine. Runs before NetworkManager, which would take one from DHCP.
#
# ROOT puts another tree in place of /.
set -u
ROOT=${ROOT:-}

hostname=
[ ! -e "$ROOT/run/coreiso/host" ] || hostname=$(sed -n 's/^hostname //p' "$ROOT/run/coreiso/host")
case $hostname in
'')
    echo 'coreiso-hostname: the plan has no host name for this machine'
    exit 0
    ;;
*[!A-Za-z0-9.-]*)
    echo "coreiso-hostname: $hostname is no host name"
    exit 1
    ;;
esac
echo "coreiso-hostname: this machine is called $hostname"
printf '%s\n' "$hostname" >"$ROOT/etc/hostname" || exit 1
printf '%s' "$hostname" >"$ROOT/proc/sys/kernel/hostname"
