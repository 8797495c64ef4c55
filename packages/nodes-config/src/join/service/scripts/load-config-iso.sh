#!/bin/sh
# Takes the settings of a cluster from a config image. CONFIG_IMAGE_FILES lists what may come from there: files, which must be in
# it, and folders, which may be.
set -u
ROOT=${ROOT:-}
# shellcheck source=issue_status.sh
. "$ROOT/usr/local/bin/issue_status.sh"
device=$ROOT/dev/$1
image_set=etc/assisted/manifests/cluster-image-set.yaml

fail() {
    echo "load-config-iso.sh: $*"
    set_issue 50-config-image "The config image cannot be used: $*"
    exit 1
}

if [ -z "${CONFIG_IMAGE_FILES:-}" ]; then
    echo 'load-config-iso.sh: this image has its settings already'
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'umount "$work/image" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/image" "$work/tree"
mount -o ro "$device" "$work/image" || fail "$1 cannot be mounted"
gzip -dc "$work/image/config.gz" >"$work/config.cpio" || fail 'it has no config.gz'
names=$(cpio -it <"$work/config.cpio" 2>/dev/null) || fail 'its archive cannot be read'
# Nothing of it may land elsewhere.
! printf '%s\n' "$names" | grep -qE '^/|(^|/)\.\.(/|$)' || fail 'its archive has paths that leave it'
(cd "$work/tree" && cpio -idm <"$work/config.cpio" 2>/dev/null) || fail 'its archive cannot be read'
cmp -s "$work/tree/$image_set" "$ROOT/$image_set" || fail 'it is for another release'
for path in $CONFIG_IMAGE_FILES; do
    case ${path##*/} in
    *.* | issue) [ -f "$work/tree$path" ] || fail "it lacks $path" ;;
    esac
done
for path in $CONFIG_IMAGE_FILES; do
    [ -e "$work/tree$path" ] || continue
    mkdir -p "$ROOT${path%/*}" && cp -a "$work/tree$path" "$ROOT${path%/*}/" || fail "$path cannot be copied"
done
hash=$(cat "$ROOT/opt/agent/tls/kubeadmin-password.hash" 2>/dev/null)
[ -z "$hash" ] || printf 'core:%s\n' "$hash" | chpasswd -e
systemctl enable start-cluster-installation.service
if [ -d "$ROOT/etc/assisted/network" ]; then
    "$ROOT/usr/local/bin/pre-network-manager-config.sh"
    systemctl restart NetworkManager.service
fi
clear_issue 50-config-image
