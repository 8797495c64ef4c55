/** The file of a site with two local workers and a remote one. */
export function siteText(change: (text: string) => string = (text) => text): string {
  const hosts = [
    host('master-0', 'master', 0),
    host('master-1', 'master', 1),
    host('master-2', 'master', 2),
    host('worker-0', 'worker', 3),
    host('worker-1', 'worker', 4),
    host('far-0', 'worker', 5, '198.51.100'),
  ];
  return change(`metadata:
  name: reef
baseDomain: example.test
openshiftVersion: 4.20.3
releaseImage: quay.example.test/ocp/release@sha256:${'0'.repeat(64)}
sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA sample
networking:
  machineNetwork:
  - cidr: 192.0.2.0/24
  clusterNetwork:
  - cidr: 10.128.0.0/14
    hostPrefix: 23
  serviceNetwork:
  - 172.30.0.0/16
apiVIPs: [192.0.2.5]
ingressVIPs: [192.0.2.6]
service:
  osImages:
  - openshiftVersion: "4.20"
    version: 420.96.202511010000-0
    url: https://mirror.example.test/rhcos-4.20-live.x86_64.iso
extraManifests:
  50-chrony.yaml: |
    apiVersion: machineconfiguration.openshift.io/v1
    kind: MachineConfig
    metadata: {name: 50-chrony, labels: {machineconfiguration.openshift.io/role: worker}}
    spec: {config: {ignition: {version: 3.2.0}}}
hosts:
${hosts.join('')}`);
}

function host(name: string, role: string, index: number, network = '192.0.2'): string {
  return `- hostname: ${name}
  role: ${role}
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:01:0${index}
  rootDeviceHints:
    deviceName: /dev/sda
  bmc:
    address: redfish-virtualmedia://${network}.9${index}/redfish/v1/Systems/1
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: ${network}.2${index}
          prefix-length: 24
    dns-resolver:
      config:
        server:
        - ${network}.1
    routes:
      config:
      - destination: 0.0.0.0/0
        next-hop-address: ${network}.1
        next-hop-interface: eno1
`;
}
