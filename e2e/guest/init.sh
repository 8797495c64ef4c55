#!/bin/busybox sh
# /init of the test guest. Prints over the serial console what reached the initramfs, plays the parts of CoreOS that matter to us
# (its firstboot network service, Ignition, systemd), and prints what NetworkManager made of it. Every fact is a line "@WORD …".
/bin/busybox --install -s /bin
export PATH=/guest/bin:/bin:/sbin:/usr/bin:/usr/sbin
mkdir -p /proc /sys /dev /run /tmp
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
dmesg -n 1

fact() { printf '@%s\n' "$*"; }
wants() { grep -qw "guest.$1" /proc/cmdline; }
option() { sed -n "s/.*guest\.$1=\([^ ]*\).*/\1/p" /proc/cmdline; }

# Every file that is not part of the guest itself came out of the embedded archive.
report_files() {
  find / -xdev -type f | grep -vE '^/(proc|sys|dev|bin)/' | sort > /tmp/files
  grep -vxFf /guest-files /tmp/files | grep -v '^/tmp/' | while read -r file; do
    fact "FILE $(stat -c '%a %s' "$file") $(sha256sum < "$file" | cut -d' ' -f1) $file"
  done
}

load_modules() {
  while read -r module options; do
    # shellcheck disable=SC2086
    insmod "/modules/$module.ko" $options 2>/dev/null || fact "PROBLEM module $module"
  done < /modules/order
  /lib/systemd/systemd-udevd --daemon 2>/dev/null
  udevadm trigger --action=add
  udevadm settle
  # Other names than the ones in the configs, as on real hardware: guest.nics=enp1s0,enp2s0
  number=0
  for name in $(option nics | tr , ' '); do
    ip link set "eth$number" down
    ip link set "eth$number" name "$name"
    number=$((number + 1))
  done
}

# coreos-copy-firstboot-network: the profiles of the initramfs are those of NetworkManager.
copy_firstboot_network() {
  mkdir -p /run/NetworkManager/system-connections
  if [ -n "$(ls /etc/coreos-firstboot-network 2>/dev/null)" ]; then
    cp /etc/coreos-firstboot-network/* /run/NetworkManager/system-connections/
  fi
}

# A live CoreOS before anybody configured it: DHCP everywhere, more memory than this guest really has, no patience in scripts.
pretend_coreos() {
  mkdir -p /run /etc/NetworkManager/system-connections
  touch /run/ostree-live
  printf '[connection]\nid=default\ntype=ethernet\n\n[ipv4]\nmethod=auto\n' > /etc/NetworkManager/system-connections/default.nmconnection
  chmod 600 /etc/NetworkManager/system-connections/default.nmconnection
  printf 'MemTotal:       16777216 kB\n' > /tmp/meminfo
  mount --bind /tmp/meminfo /proc/meminfo
  printf '127.0.0.1 localhost\n' > /etc/hosts
  wants no-name || printf '192.0.2.1 api-int.site.example.test\n' >> /etc/hosts
  export TRIES=1 PAUSE=0 NIC_WAIT=5 NIC_QUIET=2
}

# systemd, reduced to: enabled units one after the other, those before NetworkManager first.
run_units() {
  [ -f /ignition/units ] || return 0
  while read -r order unit; do
    [ "$order" = "$1" ] || continue
    needed=$(sed -n 's/^ConditionPathExists=//p' "/etc/systemd/system/$unit")
    if [ -n "$needed" ] && [ ! -e "$needed" ]; then
      fact "UNIT $unit skipped"
      continue
    fi
    fact "UNIT $unit begins"
    sed -n 's/^ExecStart=-\{0,1\}//p' "/etc/systemd/system/$unit" | while read -r command; do
      sh -c "$command" 2>&1 | sed 's/^/@LOG /'
    done
    fact "UNIT $unit ends"
  done < /ignition/units
}

# Bounded: where a port is missing, start-up never completes.
run_network_manager() {
  timeout 30 /sbin/NetworkManager --configure-and-quit=initrd --debug > /tmp/network-manager.log 2>&1
  grep -q 'startup complete' /tmp/network-manager.log && fact "NETWORK complete"
  ip -o addr | awk '{ print "@ADDRESS " $2 " " $4 }' | grep -v '@ADDRESS lo '
  { ip route; ip -6 route; } | sed 's/^/@ROUTE /'
  sed 's/^/@RESOLV /' /run/NetworkManager/resolv.conf 2>/dev/null
  grep -HE 'Bonding Mode|Slave Interface' /proc/net/bonding/* 2>/dev/null | sed 's/^/@BOND /'
  sed 's/^/@VLAN /' /proc/net/vlan/config 2>/dev/null
  # Not the ones about what this small guest lacks on purpose: plugins and D-Bus.
  grep -E '<warn>|<error>' /tmp/network-manager.log | grep -vE 'device plugin|sleep-monitor' | sed 's/^/@COMPLAINT /'
}

fact "CMDLINE $(cat /proc/cmdline)"
dmesg | grep -iE 'initramfs unpacking|invalid magic|junk' | sed 's/^/@KERNEL /'
report_files
if wants network || wants ignition; then
  load_modules
  copy_firstboot_network
  if wants ignition; then
    pretend_coreos
    perl /guest/apply-ignition.pl /config.ign || fact "PROBLEM config.ign could not be applied"
    run_units early
  fi
  for profile in /etc/NetworkManager/system-connections/*; do
    [ ! -f "$profile" ] || fact "PROFILE $(stat -c %a "$profile") $(sha256sum < "$profile" | cut -d' ' -f1) $(basename "$profile")"
  done
  run_network_manager
  run_units late
  fact "HOSTNAME $(hostname)"
  for record in /run/guest/*; do [ ! -f "$record" ] || sed "s|^|@RECORD $(basename "$record") |" "$record"; done
fi
fact "END"
poweroff -f
