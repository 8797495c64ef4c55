/** Hosts to add to the sample cluster: a static address, a bond with a VLAN, DHCP. */
export const NODES_CONFIG = `# Hosts to add to a cluster. Every value is an example: replace names, addresses and disks.
#
#   coreiso nodes validate       # check
#   coreiso nodes image --live   # build the image for the cluster of your kubeconfig

# Architecture of the hosts: amd64, arm64, ppc64le or s390x (default: that of the control plane).
# cpuArchitecture: amd64

# Public key of user core in the live system (default: the one of the workers).
# sshKey: ssh-ed25519 AAAA… admin@example.test

# Address of the network-boot files, for --pxe and --minimal.
# bootArtifactsBaseURL: http://boot.example.test/files

hosts:

# A static address.
- hostname: worker-0
  # Disk to install to. A disk must fit all hints: deviceName, serialNumber, wwn, model, vendor,
  # hctl, minSizeGigabytes, rotational.
  rootDeviceHints:
    deviceName: /dev/sda
  # Network cards that identify the host. The name is the one that networkConfig uses.
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:00:20
  # Network state, as nmstate has it (default: DHCP on all cards).
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: 192.0.2.20
          prefix-length: 24
      ipv6:
        enabled: false
    dns-resolver:
      config:
        server:
        - 192.0.2.1
    routes:
      config:
      - destination: 0.0.0.0/0
        next-hop-address: 192.0.2.1
        next-hop-interface: eno1

# Two cards in a bond, and a VLAN on it.
- hostname: worker-1
  rootDeviceHints:
    minSizeGigabytes: 120
    rotational: false
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:00:21
  - name: eno2
    macAddress: 52:54:00:00:00:22
  networkConfig:
    interfaces:
    - name: bond0
      type: bond
      state: up
      link-aggregation:
        mode: 802.3ad
        options:
          miimon: 100
        port:
        - eno1
        - eno2
      ipv4:
        enabled: false
      ipv6:
        enabled: false
    - name: bond0.100
      type: vlan
      state: up
      vlan:
        base-iface: bond0
        id: 100
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: 192.0.2.21
          prefix-length: 24
      ipv6:
        enabled: false
    dns-resolver:
      config:
        server:
        - 192.0.2.1
    routes:
      config:
      - destination: 0.0.0.0/0
        next-hop-address: 192.0.2.1
        next-hop-interface: bond0.100

# DHCP on all cards.
- hostname: worker-2
  rootDeviceHints:
    deviceName: /dev/sda
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:00:23
`;
