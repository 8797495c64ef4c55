/**
 * An `agent-config.yaml` to fill in, as `agent create agent-config-template` writes it; it is not valid as it is.
 *
 * @example await writeFile('agent-config.yaml', agentConfigTemplate(), { mode: 0o600 })
 */
export function agentConfigTemplate(): string {
  return TEMPLATE;
}

const TEMPLATE = `# An example to change: every value here stands for one of yours. It is not valid as it is.
# Everything may be left out but apiVersion; the hosts may stand in install-config.yaml instead.
apiVersion: v1beta1
kind: AgentConfig
metadata:
  name: example-agent-config
  namespace: cluster0
# The control-plane host that runs the installation of all others. Where it is left out, the first
# static address of a control-plane host is taken.
rendezvousIP: your-node0-ip
# Where boot files are fetched from, for PXE and for minimal images.
bootArtifactsBaseURL: http://user-specified-infra.com
# An image without its root file system, which is then fetched at boot.
minimalISO: false
additionalNTPSources:
- 0.rhel.pool.ntp.org
- 1.rhel.pool.ntp.org
hosts:
- hostname: change-to-hostname
  role: master
  rootDeviceHints:
    deviceName: /dev/sda
  interfaces:
  - name: eth0
    macAddress: 00:00:00:00:00:00
  # As nmstate has it; a host without it asks DHCP.
  networkConfig:
    interfaces:
    - name: eth0
      type: ethernet
      state: up
      mac-address: 00:00:00:00:00:00
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: 192.0.2.10
          prefix-length: 24
    dns-resolver:
      config:
        server:
        - 192.0.2.1
    routes:
      config:
      - destination: 0.0.0.0/0
        next-hop-address: 192.0.2.1
        next-hop-interface: eth0
`;
