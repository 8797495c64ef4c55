#!/bin/sh
# Takes the settings of a cluster from a config image. CONFIG_IMAGE_FILES lists what may come from there: files, which must be in
# it, and folders, which may be. The image is not trusted to be what it should: nothing of it is written elsewhere, nothing but
# plain files is taken, and they belong to root.
set -fu
LC_ALL=C
export LC_ALL
ROOT=${ROOT:-}
# shellcheck source=issue_status.sh
. "$ROOT/usr/local/bin/issue_status.sh"
device=$ROOT/dev/$1
image_set=etc/assisted/manifests/cluster-image-set.yaml
hash=opt/agent/tls/kubeadmin-password.hash
newline='
'

fail() {
    echo "load-config-iso.sh: $*"
    set_issue 50-config-image "The config image cannot be used: $*"
    exit 1
}

# unpack: fills $tree from the archive in $work/config.cpio.
unpack() {
    names=$(cpio -it <"$work/config.cpio" 2>/dev/null) || fail 'its archive cannot be read'
    ! printf '%s\n' "$names" | grep -qE '^/|(^|/)\.\.(/|$)' || fail 'its archive has paths that leave it'
    # A file that is written through a link would leave it, too.
    kinds=$(cpio -itv <"$work/config.cpio" 2>/dev/null) || fail 'its archive cannot be read'
    ! printf '%s\n' "$kinds" | grep -q '^[^d-]' || fail 'its archive has more than files and folders'
    (cd "$tree" && cpio -id <"$work/config.cpio" 2>/dev/null) || fail 'its archive cannot be read'
    [ -z "$(find "$tree" ! -type f ! -type d)" ] || fail 'its archive has more than files and folders'
    [ -z "$(find "$tree" -name "*$newline*")" ] || fail 'its archive has a name of two lines'
}

# take PATH: copies a file, or the files of a folder, in place of what was there. Nobody but their owner may write them.
take() {
    find "$tree$1" -type f | while IFS= read -r file; do
        target=$ROOT${file#"$tree"}
        # What is a link there is replaced, and not followed.
        (umask 022 && mkdir -p "${target%/*}" && rm -f "$target" && cp "$file" "$target") || exit 1
    done
}

if [ -z "${CONFIG_IMAGE_FILES:-}" ]; then
    echo 'load-config-iso.sh: this image has its settings already'
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'umount "$work/image" 2>/dev/null; rm -rf "$work"' EXIT
tree=$work/tree
mkdir "$work/image" "$tree" || exit 1
mount -o ro,nosuid,nodev,noexec "$device" "$work/image" || fail "$1 cannot be mounted"
[ -f "$work/image/config.gz" ] && [ ! -L "$work/image/config.gz" ] || fail 'it has no config.gz'
# 64 MiB are more than any: here that is memory.
(ulimit -f 131072 && gzip -dc "$work/image/config.gz" >"$work/config.cpio") || fail 'its config.gz cannot be unpacked'
unpack
cmp -s "$tree/$image_set" "$ROOT/$image_set" || fail 'it is for another release'
for path in $CONFIG_IMAGE_FILES; do
    case ${path##*/} in
    *.* | issue) [ -f "$tree$path" ] || fail "it lacks $path" ;;
    esac
done
# Another line would be the password of another user.
case $(cat "$tree/$hash" 2>/dev/null) in *[!./A-Za-z0-9\$=,-]*) fail 'its hash of a password is none' ;; esac
chmod -R u=rwX,go-w,a-st "$tree" || fail 'its files cannot be copied'
for path in $CONFIG_IMAGE_FILES; do
    [ ! -e "$tree$path" ] || take "$path" || fail "$path cannot be copied"
done
[ ! -s "$ROOT/$hash" ] || printf 'core:%s\n' "$(cat "$ROOT/$hash")" | chpasswd -e
systemctl enable start-cluster-installation.service
if [ -d "$ROOT/etc/assisted/network" ]; then
    "$ROOT/usr/local/bin/pre-network-manager-config.sh"
    systemctl restart NetworkManager.service
fi
clear_issue 50-config-image
