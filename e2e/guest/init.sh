#!/bin/busybox sh
# /init of the test guest: plays the initramfs of a live CoreOS. Records which files came with the image, sets up the root,
# passes the network profiles and the Ignition config to it, and leaves the rest to systemd.
/bin/busybox --install -s /bin
export PATH=/bin
mkdir -p /proc /sys /dev /run /sysroot /lower /upper
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs -o mode=755 run /run
mkdir -p /run/guest

give_up() {
    echo "guest: $*"
    poweroff -f
}

# Every file that is not part of the guest itself came from the embedded archive.
list_embedded_files() {
    find / -xdev -type f | grep -vE '^/bin/' | grep -vxFf /guest/files | sort | while read -r file; do
        echo "$(stat -c '%a %s' "$file") $(sha256sum <"$file" | cut -d' ' -f1) $file"
    done
}

load_modules() {
    while read -r module; do insmod "$module" || give_up "$module cannot be loaded"; done </guest/modules
}

# A read-only system with all writes in memory, as in a live CoreOS.
mount_root() {
    tries=0
    until mount -t erofs -o ro /dev/sr0 /lower 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || give_up 'there is no root file system'
        sleep 0.1
    done
    mount -t tmpfs -o mode=755 upper /upper
    mkdir /upper/data /upper/work
    mount -t overlay -o lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work root /sysroot
}

# coreos-copy-firstboot-network: profiles in the image replace the default one.
copy_firstboot_network() {
    connections=/sysroot/etc/NetworkManager/system-connections
    chmod 600 "$connections"/*
    [ -n "$(ls /etc/coreos-firstboot-network 2>/dev/null)" ] || return 0
    rm -f "$connections"/*
    cp -p /etc/coreos-firstboot-network/* "$connections/"
}

# Files that a test adds on this machine only.
add_files_of_test() {
    files=/sys/firmware/qemu_fw_cfg/by_name/opt/coreiso/files/raw
    [ ! -f "$files" ] || tar -xf "$files" -C /sysroot || give_up 'the files of the test cannot be unpacked'
}

apply_ignition() {
    [ -f /config.ign ] || return 0
    cp /config.ign /guest/apply-ignition.pl /sysroot/run/guest/
    chroot /sysroot /usr/bin/perl /run/guest/apply-ignition.pl /run/guest/config.ign || give_up 'config.ign cannot be applied'
}

list_embedded_files >/run/guest/embedded-files
load_modules
mount_root
cp -a /guest/root/. /sysroot/
copy_firstboot_network
touch /run/ostree-live
mount -o move /run /sysroot/run
apply_ignition
add_files_of_test
for folder in proc sys dev; do mount -o move "/$folder" "/sysroot/$folder"; done
exec switch_root /sysroot /sbin/init
