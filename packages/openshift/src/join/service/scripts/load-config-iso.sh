#!/bin/sh
# Takes the settings of a site from a config image: load-config-iso.sh DEVICE
#
# CONFIG_IMAGE_FILES lists what comes from there, with commas between: files, which must be in it, and folders, which may be. What
# CONFIG_IMAGE_OPTIONAL lists may be in it. The image is not trusted to be what it should: nothing of it is written elsewhere, nothing
# but plain files is taken, and they belong to root. ROOT puts another tree in place of /.
set -fu
LC_ALL=C
export LC_ALL
ROOT=${ROOT:-}
# shellcheck source=issue_status.sh
. "$ROOT/usr/local/bin/issue_status.sh"
device=$ROOT/dev/$1
image_set=etc/assisted/manifests/cluster-image-set.yaml
hash=opt/agent/tls/kubeadmin-password.hash
# Units wait for this file: it comes last.
released_by=/etc/assisted/rendezvous-host.env
taken=$ROOT/run/coreiso/config-image
newline='
'

# refuse REASON: says why this image is not taken.
refuse() {
    echo "load-config-iso.sh: ${device##*/}: $1"
    set_issue "50-config-image-${device##*/}" "The config image on ${device##*/} cannot be used: $1"
    exit 1
}

# check_alone: of two images each would be the wrong one for somebody.
check_alone() {
    others=$(lsblk --noheadings --raw --output NAME,LABEL | sed -n 's/ agent_configimage$//p' | grep -vx "${device##*/}")
    [ -z "$others" ] || refuse "there is another one on $(printf '%s' "$others" | tr '\n' ' '): remove one of them"
}

# unpack: fills $tree from the archive in $work/config.cpio.
unpack() {
    names=$(cpio -it <"$work/config.cpio" 2>/dev/null) || refuse 'its archive cannot be read'
    ! printf '%s\n' "$names" | grep -qE '(^|/)\.\.(/|$)' || refuse 'its archive has paths that leave it'
    # A file that is written through a link would leave it, too.
    kinds=$(cpio -itv <"$work/config.cpio" 2>/dev/null) || refuse 'its archive cannot be read'
    ! printf '%s\n' "$kinds" | grep -q '^[^d-]' || refuse 'its archive has more than files and folders'
    # The installer's archives have paths from the root. GNU cpio would go there; busybox never does.
    case $(cpio --version 2>&1) in
    *GNU*) relative=--no-absolute-filenames ;;
    *) relative= ;;
    esac
    # shellcheck disable=SC2086 # one word or none
    (cd "$tree" && cpio -id $relative <"$work/config.cpio" 2>/dev/null) || refuse 'its archive cannot be read'
    [ -z "$(find "$tree" ! -type f ! -type d)" ] || refuse 'its archive has more than files and folders'
    [ -z "$(find "$tree" -name "*$newline*")" ] || refuse 'its archive has a name of two lines'
}

# release_of FILE: prints the release image that a ClusterImageSet names. Names and spaces in it differ from site to site.
release_of() {
    sed -n 's/^ *releaseImage: *//p' "$1" 2>/dev/null
}

# check_release: the services of another release would not install this one.
check_release() {
    wanted=$(release_of "$ROOT/$image_set")
    found=$(release_of "$tree/$image_set")
    [ "$found" != "$wanted" ] || [ -z "$found" ] || return 0
    refuse "it is for another release, ${found:-of which it says nothing}, and this image is for $wanted"
}

# check_machine: where all machines of the site are listed, this has to be one of them.
check_machine() {
    required=0
    for name in MASTER ARBITER WORKER; do
        count=$(sed -n "s/^REQUIRED_${name}_NODES=//p" "$tree/usr/local/share/start-cluster/start-cluster.env" 2>/dev/null)
        case $count in '' | *[!0-9]* | ?????*) count=0 ;; esac
        required=$((required + count))
    done
    lists=$(find "$tree/etc/assisted/hostconfig" -mindepth 2 -maxdepth 2 -name mac_addresses 2>/dev/null)
    [ -n "$lists" ] && [ "$(printf '%s\n' "$lists" | wc -l)" -ge "$required" ] || return 0
    set +f
    macs=$(cat "$ROOT"/sys/class/net/*/address 2>/dev/null | tr 'A-F' 'a-f' | grep -v '^00:00:00:00:00:00$')
    set -f
    ! find "$tree/etc/assisted/hostconfig" -name mac_addresses -exec cat {} + | tr 'A-F-' 'a-f:' | grep -qxF "$macs" || return 0
    refuse 'it is for another site: none of the machines that it lists has a network card of this one'
}

# copy PATH: copies a file, or the files of a folder, in place of what was there. Nobody but their owner may write them.
copy() {
    [ -e "$tree$1" ] || return 0
    find "$tree$1" -type f | while IFS= read -r file; do
        target=$ROOT${file#"$tree"}
        # What is a link there is replaced, and not followed.
        (umask 022 && mkdir -p "${target%/*}" && rm -f "$target" && cp "$file" "$target") || exit 1
    done || refuse "$1 cannot be copied"
}

# apply_settings: what has read its settings before they came.
apply_settings() {
    [ ! -s "$ROOT/$hash" ] || printf 'core:%s\n' "$(cat "$ROOT/$hash")" | chpasswd -e
    # systemd reads its own settings again, a proxy among them.
    systemctl daemon-reload
    [ ! -e "$tree/etc/pki/ca-trust/source/anchors/domain.crt" ] || update-ca-trust
    [ ! -e "$tree/etc/chrony.conf" ] || systemctl try-restart chronyd.service
    if [ -d "$ROOT/etc/assisted/network" ]; then
        "$ROOT/usr/local/bin/pre-network-manager-config.sh"
        systemctl restart NetworkManager.service
    fi
    [ ! -d "$ROOT/etc/assisted/hostnames" ] || systemctl restart set-hostname.service
}

if [ -z "${CONFIG_IMAGE_FILES:-}" ]; then
    echo 'load-config-iso.sh: this image has its settings already'
    exit 0
fi
mkdir -p "${taken%/*}" || exit 1
# One that was pulled may come back; udev does not start again what runs already.
while [ ! -e "$device" ]; do
    clear_issue "50-config-image-${device##*/}"
    sleep 5
done
# One after the other: udev starts this for each image at the same time.
exec 9>"$taken.lock" && flock 9 || exit 1
check_alone
work=$(mktemp -d) || exit 1
trap 'umount "$work/image" 2>/dev/null; rm -rf "$work"' EXIT
tree=$work/tree
mkdir "$work/image" "$tree" || exit 1
mount -o ro,nosuid,nodev,noexec "$device" "$work/image" || refuse 'it cannot be mounted'
[ ! -L "$work/image/config.gz" ] || refuse 'it has no config.gz'
[ -f "$work/image/config.gz" ] || refuse 'it has no config.gz'
digest=$(sha256sum <"$work/image/config.gz") || refuse 'its config.gz cannot be read'
if [ -s "$taken" ]; then
    [ "$digest" = "$(cat "$taken")" ] ||
        refuse 'this machine has the settings of another one: boot it again to take these'
    echo 'load-config-iso.sh: its settings were taken before'
    clear_issue "50-config-image-${device##*/}"
    exit 0
fi
# 64 MiB are more than any: here that is memory.
(ulimit -f 131072 && gzip -dc "$work/image/config.gz" >"$work/config.cpio") || refuse 'its config.gz cannot be unpacked'
unpack
check_release
IFS=,
for path in $CONFIG_IMAGE_FILES; do
    case ${path##*/} in
    *.* | issue) [ -f "$tree$path" ] || refuse "it lacks $path" ;;
    esac
done
unset IFS
# Another line would be the password of another user.
case $(cat "$tree/$hash" 2>/dev/null) in *[!./A-Za-z0-9\$=,-]*) refuse 'its hash of a password is none' ;; esac
check_machine
chmod -R u=rwX,go-w,a-st "$tree" || refuse 'its files cannot be copied'
IFS=,
for path in ${CONFIG_IMAGE_OPTIONAL:-} $CONFIG_IMAGE_FILES; do
    [ "$path" = "$released_by" ] || copy "$path"
done
unset IFS
printf '%s\n' "$digest" >"$taken"
apply_settings
copy "$released_by"
clear_issue "50-config-image-${device##*/}"
if [ -e "$tree/etc/assisted/add-nodes.env" ]; then
    steps='agent-add-node.service agent-auth-token-status.service'
else
    steps=start-cluster-installation.service
fi
# Not waited for: they wait for much that this does not.
# shellcheck disable=SC2086 # names of units have no blanks
systemctl --no-block enable --now $steps
