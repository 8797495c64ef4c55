import { stringifyConfig } from '@coreiso/ignition';
import { bytesOf } from '@coreiso/iso';
import { describe, expect, test } from 'vitest';
import { parseNodesConfigOrThrow } from '../../../nodes-config/src/documents/nodes-config.ts';
import type { HostPlan } from '../../../nodes-config/src/hosts/plan-hosts.ts';
import { HostConfigs } from '../../src/images/host-configs.ts';
import { liveConfig } from '../../src/join/live-config.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import type { NodesPlan } from '../../src/join/strategy.ts';

const FACTS = {
  platform: 'BareMetal',
  apiServerUrl: 'https://api.cove.example.test:6443',
  sshKey: 'ssh-ed25519 AAAAC3 a key with {"path":"/the files of the config"} in it',
  nodes: [{ name: 'control-0', architecture: 'amd64', master: true, addresses: [] }],
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};

const CONFIG = `hosts:
- hostname: worker-1
  role: worker
  rootDeviceHints: { deviceName: /dev/sda }
  interfaces: [{ name: eth0, macAddress: "52:54:00:AB:00:01" }]
  networkConfig:
    interfaces: [{ name: eth0, type: ethernet, state: up, ipv4: { enabled: true, dhcp: true } }]
- hostname: worker-10
  interfaces: [{ name: eth0, macAddress: "52:54:00:ab:00:10" }, { name: eth1, macAddress: "52:54:00:ab:00:11" }]
- interfaces: [{ name: eth0, macAddress: "52:54:00:ab:00:02" }]
- hostname: wörker
  interfaces: [{ name: eth0, macAddress: "52:54:00:ab:00:03" }]
`;

/** The config without any data of the other hosts, made the slow way. */
function alone(plan: NodesPlan, host: HostPlan): NodesPlan {
  const name = `/etc/assisted/hostnames/${host.interfaces[0]?.macAddress.toLowerCase()}`;
  const folder = `/etc/assisted/hostconfig/${host.name}/`;
  const files = plan.files.filter(({ path }) => path === name || path.startsWith(folder));
  return { ...plan, hosts: [host], files };
}

describe.each(['direct', 'network-only'] as const)('with join %s', (join) => {
  const config = parseNodesConfigOrThrow(CONFIG, { cluster: FACTS, mode: 'compatible' });
  const plan = planNodes(config, { cluster: FACTS, join });
  const configs = new HostConfigs(plan);

  test.each(plan.hosts)('gives $name the config of a plan with this host alone', async (host) => {
    const text = new TextDecoder().decode(await bytesOf(configs.of(host)));
    expect(text).toBe(stringifyConfig(liveConfig(alone(plan, host), { profiles: 'in-place' })));
  });

  test('refuses files of a host that Ignition would refuse', () => {
    const [twin] = plan.files.filter(({ path }) => path.startsWith('/etc/assisted/hostconfig/worker-1/'));
    const twins = new HostConfigs({ ...plan, files: [...plan.files, twin!] });
    expect(() => twins.of(plan.hosts[0]!)).toThrow(expect.objectContaining({ code: 'IGNITION_INVALID' }));
    expect(twins.of(plan.hosts[1]!).size).toBe(configs.of(plan.hosts[1]!).size);
  });

  test('keeps the common part of all hosts in memory once', () => {
    const buffers = plan.hosts.map((host) =>
      configs
        .of(host)
        .segments()
        .flatMap((segment) => ('bytes' in segment && segment.length >= 2048 ? [segment.bytes] : [])),
    );
    const places = buffers.map((runs) => runs.map(({ byteOffset, length }) => [byteOffset, length]));
    expect(places[0]?.length).toBeGreaterThan(0);
    expect(new Set(places.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(new Set(buffers.flat().map(({ buffer }) => buffer)).size).toBeLessThanOrEqual(2);
  });
});
