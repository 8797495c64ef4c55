/** A site that a hub installs: three machines, and a worker elsewhere. */
export const HUB_SITE: string = `# A site that a hub installs from its management controllers. Every value is an example.
#
#   coreiso ztp render site.yaml -o hub   # write the objects for the hub
#   oc apply --server-side -f hub
#
# Secrets are not in this file. Make them on the hub, in namespace sample:
#   oc create secret generic pull-secret -n sample --type=kubernetes.io/dockerconfigjson \\
#     --from-file=.dockerconfigjson=pull-secret.json
#   oc create secret generic control-0-bmc -n sample --from-literal=username=USER --from-literal=password=PASSWORD

# Name of the cluster, and of its namespace on the hub.
metadata:
  name: sample
baseDomain: example.test

# Release to install, by its digest: oc adm release info 4.20.3 prints it.
openshiftVersion: 4.20.3
releaseImage: quay.example.test/ocp/release@sha256:${'0'.repeat(64)}

networking:
  machineNetwork:
  - cidr: 192.0.2.0/24
  clusterNetwork:
  - cidr: 10.128.0.0/14
    hostPrefix: 23
  serviceNetwork:
  - 172.30.0.0/16

# BareMetal (default) keeps these two addresses; None needs a load balancer, or is a single node.
platform: BareMetal
apiVIPs:
- 192.0.2.5
ingressVIPs:
- 192.0.2.6

# The assisted service of the hub, and the live image of the version above.
service:
  osImages:
  - openshiftVersion: "4.20"
    version: 420.96.202511010000-0
    url: https://mirror.example.test/rhcos-live.x86_64.iso
  # Volumes are of the default storage class of the hub, 10Gi, 100Gi and 50Gi large, unless you say otherwise:
  # storageClassName: lvms-vg1
  # databaseStorage: 10Gi
  # filesystemStorage: 100Gi
  # imageStorage: 50Gi

hosts:
${[0, 1, 2]
  .map(
    (index) => `- hostname: control-${index}
  role: master
  rootDeviceHints:
    deviceName: /dev/sda
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:00:1${index}
  # Management controller. User and password are in Secret control-${index}-bmc.
  bmc:
    address: redfish-virtualmedia://192.0.2.9${index}/redfish/v1/Systems/1
`,
  )
  .join('')}
# A worker at a remote site: its address is outside the machine networks.
- hostname: far-0
  role: worker
  rootDeviceHints:
    deviceName: /dev/sda
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:00:20
  bmc:
    address: redfish-virtualmedia://198.51.100.90/redfish/v1/Systems/1
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: 198.51.100.20
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
        next-hop-address: 198.51.100.1
        next-hop-interface: eno1
`;
