import { PULL_SECRET, SSH_KEY } from './facts.ts';

/** A compact cluster of three machines. */
export const INSTALL_CONFIG: string = `# A new cluster of three machines that also run workloads. Every value is an example.
#
#   coreiso agent validate       # check this file and agent-config.yaml
#   coreiso agent create image --release-image quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64
apiVersion: v1

# The cluster answers at api.sample.example.test and *.apps.sample.example.test.
baseDomain: example.test
metadata:
  name: sample

# Machines of the control plane: 1, 3, 4 or 5. A single node needs platform: none: {} below.
controlPlane:
  name: master
  replicas: 3
  architecture: amd64
# Workers at the start. Others can join later: coreiso nodes image.
compute:
- name: worker
  replicas: 0
  architecture: amd64

networking:
  networkType: OVNKubernetes
  # Networks of the machines; their addresses in agent-config.yaml are in one of them.
  machineNetwork:
  - cidr: 192.0.2.0/24
  # Networks of pods and services. They must not overlap with others.
  clusterNetwork:
  - cidr: 10.128.0.0/14
    hostPrefix: 23
  serviceNetwork:
  - 172.30.0.0/16

# Platform: baremetal keeps two addresses of its own for the API and the routers; with none: {} the
# site has a load balancer, or there is one node.
platform:
  baremetal:
    apiVIPs:
    - 192.0.2.5
    ingressVIPs:
    - 192.0.2.6

# Pull secret: one line of JSON, from https://console.redhat.com/openshift/install/pull-secret.
pullSecret: '${PULL_SECRET}'
# Public key of user core.
sshKey: ${SSH_KEY}

# For a site with a mirror registry: its certificate and what it mirrors.
# additionalTrustBundle: |
#   -----BEGIN CERTIFICATE-----
# imageDigestSources:
# - source: quay.io/openshift-release-dev/ocp-release
#   mirrors:
#   - mirror.example.test:5000/ocp/release
`;

const host = (index: number): string => `
- hostname: control-${index}
  role: master
  rootDeviceHints:
    deviceName: /dev/sda
  interfaces:
  - name: eno1
    macAddress: 52:54:00:00:00:1${index}
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: 192.0.2.1${index}
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
`;

/** The machines of that cluster. */
export const AGENT_CONFIG: string = `# The machines of the new cluster in install-config.yaml. Every value is an example.
apiVersion: v1beta1
kind: AgentConfig
metadata:
  name: sample

# Address of the machine that runs the installation of all others. It is one of the control plane.
rendezvousIP: 192.0.2.10

# Time servers of all machines (default: those that DHCP names).
additionalNTPSources:
- ntp.example.test

# Address of the network-boot files, for create pxe-files.
# bootArtifactsBaseURL: http://boot.example.test/files

# One entry per machine: its name, the disk to install to, the network cards that identify it, and
# its network as nmstate has it. A machine without networkConfig asks DHCP.
hosts:
${[0, 1, 2].map(host).join('').slice(1)}`;
