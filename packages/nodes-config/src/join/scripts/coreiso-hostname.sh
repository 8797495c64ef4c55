#!/bin/sh
# Sets the host name that the plan gives this machine, whichever of its interfaces is there. Runs before NetworkManager, which
# would take one from DHCP.
#
# ROOT puts another tree in place of /.
set -u
ROOT=${ROOT:-}
PATH=$ROOT/usr/local/bin:$PATH

hostname=$(coreiso-host | sed -n 's/^hostname //p')
if [ -z "$hostname" ]; then
    echo 'coreiso-hostname: the plan has no host name for this machine'
    exit 0
fi
echo "coreiso-hostname: this machine is $hostname"
printf '%s\n' "$hostname" >"$ROOT/etc/hostname" || exit 1
printf '%s' "$hostname" >"$ROOT/proc/sys/kernel/hostname"
