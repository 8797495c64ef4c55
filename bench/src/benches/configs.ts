import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from '@coreiso/ignition';
import { sampleIso } from '@coreiso/iso/sample';
import { generateKeyfilesOrThrow } from '@coreiso/nmstate';
import { evaluatePolicy } from '@coreiso/nmstate/forms';
import { parseInstallFiles, parseNodesConfigOrThrow, renderManifests } from '@coreiso/nodes-config';
import { buildAgentImage, makeCredentials, planNodes, readSite } from '@coreiso/openshift';
import type { Bench, Measure } from '../frame.ts';
import { nodesConfig, TYPICAL } from '../hosts.ts';
import { runJob, shell } from '../programs.ts';

const ignition: Bench = {
  name: 'ignition',
  about: 'a config of 5 MB with 30,000 files, against ignition-validate',
  unit: 'ms',
  computes: true,
  limits: { ratio: 1 },
  async setUp({ directory }) {
    const files = Array.from({ length: 30_000 }, (_, index) => ({
      path: `/etc/sample/${index}`,
      mode: 0o644,
      contents: { source: `data:;base64,${randomBytes(60).toString('base64')}` },
    }));
    const text = JSON.stringify({ ignition: { version: '3.4.0' }, storage: { files } });
    const path = join(directory, 'big.ign');
    await writeFile(path, text);
    return { peer: shell('ignition-validate "$1"', path), ours: async () => timeSync(() => validate(text)) };
  },
};

function manyInterfaces(): string {
  const interfaces = Array.from(
    { length: 200 },
    (_, n) =>
      `- { name: eth${n}, type: ethernet, ipv4: { enabled: true, address: [{ ip: 10.0.${n}.1, prefix-length: 24 }] } }`,
  );
  const routes = Array.from(
    { length: 50 },
    (_, n) => `  - { destination: 172.16.${n}.0/24, next-hop-address: 10.0.${n}.254, next-hop-interface: eth${n} }`,
  );
  return `interfaces:\n${interfaces.join('\n')}\nroutes:\n  config:\n${routes.join('\n')}\n`;
}

/** Enough runs to be warm. */
const HOSTS = 2000;
const STATES = 50;

const nmstateHost: Bench = {
  name: 'nmstate-host',
  about: 'keyfiles of one typical host by library call, against the process nmstatectl gc',
  unit: 'ms',
  computes: true,
  limits: { ratio: 1, ours: 0.5 },
  async setUp({ directory }) {
    const path = join(directory, 'typical.yml');
    await writeFile(path, TYPICAL);
    return {
      peer: shell('nmstatectl gc -q "$1"', path),
      ours: async () =>
        timeSync(() => repeat(HOSTS, () => generateKeyfilesOrThrow(TYPICAL, { mode: 'compatible' }))) / HOSTS,
    };
  },
};

const nmstateMany: Bench = {
  name: 'nmstate-many',
  about: '200 interfaces and 50 routes by library call, against the process nmstatectl gc',
  unit: 'ms',
  computes: true,
  limits: { ratio: 1, ours: 4 },
  async setUp({ directory }) {
    const text = manyInterfaces();
    const path = join(directory, 'many.yml');
    await writeFile(path, text);
    return {
      peer: shell('nmstatectl gc -q "$1"', path),
      ours: async () =>
        timeSync(() => repeat(STATES, () => generateKeyfilesOrThrow(text, { mode: 'compatible' }))) / STATES,
    };
  },
};

const nmstateLinear: Bench = {
  name: 'nmstate-linear',
  about: 'keyfiles per host for 10,000 hosts, against 1,000 hosts',
  unit: 'ms',
  computes: true,
  limits: { ratio: 1.3 },
  async setUp() {
    const perHost =
      (hosts: number): Measure =>
      async () =>
        timeSync(() => repeat(hosts, () => generateKeyfilesOrThrow(TYPICAL, { mode: 'compatible' }))) / hosts;
    return { peer: perHost(1_000), ours: perHost(10_000) };
  },
};

const NODES = 500;
const POLICY = `capture:
  gateway: routes.running.destination == "0.0.0.0/0"
  base: interfaces.name == capture.gateway.routes.running.0.next-hop-interface
desired:
  interfaces:
  - name: br1
    type: linux-bridge
    ipv4: "{{ capture.base.interfaces.0.ipv4 }}"
    bridge: { port: [{ name: "{{ capture.base.interfaces.0.name }}" }] }
`;

/** The report of a node: a few cards, and the routes that determine the policy's card. */
function nodeState(index: number): string {
  const cards = Array.from(
    { length: 8 },
    (_, n) =>
      `- { name: eno${n}, type: ethernet, state: up, mtu: 1500, mac-address: 52:54:00:00:0${n}:01, ipv4: { enabled: true, dhcp: false, address: [{ ip: 10.${index >> 8}.${index & 255}.${n + 1}, prefix-length: 24 }] } }`,
  );
  return `interfaces:\n${cards.join('\n')}\nroutes:\n  running:\n  - { destination: 0.0.0.0/0, next-hop-address: 10.${index >> 8}.${index & 255}.254, next-hop-interface: eno${index % 8} }\n`;
}

const policies: Bench = {
  name: 'policies',
  about: 'a policy tried on the states of 500 nodes, against the process nmstatectl policy for one of them',
  unit: 'ms',
  computes: true,
  limits: { ours: 1000 },
  needs: ['nmstatectl'],
  async setUp({ directory }) {
    const states = Array.from({ length: NODES }, (_, index) => nodeState(index));
    const [policy, state] = [join(directory, 'policy.yml'), join(directory, 'state.yml')];
    await writeFile(policy, POLICY);
    await writeFile(state, states[0] ?? '');
    return {
      peer: shell('nmstatectl policy -q --current "$1" "$2"', state, policy),
      ours: async () =>
        timeSync(() => {
          if (!states.every((one) => evaluatePolicy(POLICY, one).ok)) throw new Error('a node refuses the policy');
        }),
    };
  },
};

/** Three control-plane machines, and workers up to the number of hosts. */
function newSite(hosts: number): { installConfig: string; agentConfig: string } {
  const installConfig = `apiVersion: v1
baseDomain: example.test
metadata: { name: reef }
controlPlane: { replicas: 3 }
compute: [{ name: worker, replicas: ${hosts - 3} }]
networking:
  machineNetwork: [{ cidr: 10.0.0.0/9 }]
  clusterNetwork: [{ cidr: 172.20.0.0/14, hostPrefix: 25 }]
platform: { baremetal: { apiVIPs: [10.100.0.2], ingressVIPs: [10.100.0.3] } }
pullSecret: '{"auths":{"a.test":{"auth":"eA=="}}}'
`;
  return { installConfig, agentConfig: `apiVersion: v1beta1\nrendezvousIP: 10.0.0.1\n${nodesConfig(hosts)}` };
}

const site: Bench = {
  name: 'site',
  about: 'validating a new cluster and rendering its manifests, per host, 500 hosts against 50',
  unit: 'ms',
  computes: true,
  limits: { ratio: 1.3 },
  async setUp() {
    const release = { version: '4.20.3', image: 'quay.example.test/ocp@sha256:55' };
    const perHost = (hosts: number, times: number): Measure => {
      const sources = newSite(hosts);
      const work = (): void => {
        const outcome = parseInstallFiles(sources, { mode: 'compatible' });
        if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
        renderManifests(outcome.value, release);
      };
      return async () => timeSync(() => repeat(times, work)) / hosts / times;
    };
    return { peer: perHost(50, 40), ours: perHost(500, 4) };
  },
};

/** Makes the image of a new cluster from its two files; the credentials exist already. */
async function agentImage(hosts: number): Promise<() => Promise<void>> {
  const sources = {
    ...newSite(hosts),
    version: '4.20.3',
    releaseImage: `quay.example.test/ocp@sha256:${'5'.repeat(64)}`,
  };
  const base = await sampleIso();
  const credentials = await makeCredentials({ clock: () => new Date() });
  return async () => {
    const outcome = readSite({ ...sources, mode: 'compatible' });
    if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
    await buildAgentImage(base, outcome.value, credentials);
  };
}

const agentImageTime: Bench = {
  name: 'agent-image',
  about: 'checking a new cluster and making its image, per host, 500 hosts against 50',
  unit: 'ms',
  computes: true,
  limits: { ratio: 1.3 },
  async setUp() {
    const perHost = async (hosts: number): Promise<Measure> => {
      const make = await agentImage(hosts);
      return async () => {
        const start = performance.now();
        await make();
        return (performance.now() - start) / hosts;
      };
    };
    return { peer: await perHost(50), ours: await perHost(500) };
  },
};

const agentImageMemory: Bench = {
  name: 'agent-memory',
  about: 'resident memory after making the image of a cluster of 500 hosts, against 50',
  unit: 'MB',
  limits: { ours: 400 },
  async setUp() {
    const after = async (hosts: number): Promise<Measure> => {
      const make = await agentImage(hosts);
      return async () => {
        await make();
        return process.memoryUsage().rss / 1e6;
      };
    };
    return { peer: await after(50), ours: await after(500) };
  },
};

const nodes: Bench = {
  name: 'nodes',
  about: 'validating and planning, per host, 10,000 hosts against 100',
  unit: 'ms',
  computes: true,
  limits: { ratio: 1.3 },
  async setUp() {
    const perHost = (hosts: number, times: number): Measure => {
      const text = nodesConfig(hosts);
      return async () => timeSync(() => repeat(times, () => planNodes(parseNodesConfigOrThrow(text)))) / hosts / times;
    };
    return { peer: perHost(100, 20), ours: perHost(10_000, 1) };
  },
};

/** A process that reads and plans this many hosts, as a command does. */
const planned = (hosts: number, figure: 'ms' | 'maxRssMB'): Measure => {
  return async () => (await runJob('plan', [String(hosts)], '>/dev/null'))[figure];
};

const nodesMany: Bench = {
  name: 'nodes-10000',
  about: 'a new process reads and plans 10,000 hosts, against 1,000',
  unit: 'ms',
  limits: { ours: 2500 },
  setUp: async () => ({ peer: planned(1_000, 'ms'), ours: planned(10_000, 'ms') }),
};

const nodesMemory: Bench = {
  name: 'nodes-memory',
  about: 'peak memory of a process that reads and plans 10,000 hosts, against 1,000',
  unit: 'MB',
  limits: { ours: 200 },
  setUp: async () => ({ peer: planned(1_000, 'maxRssMB'), ours: planned(10_000, 'maxRssMB') }),
};

const nodesBonds: Bench = {
  name: 'nodes-bonds',
  about: 'reading and planning 500 hosts with bonds and VLANs, against 50',
  unit: 'ms',
  computes: true,
  limits: { ours: 250 },
  async setUp() {
    const read = (hosts: number): Measure => {
      const text = nodesConfig(hosts, TYPICAL);
      return async () => timeSync(() => planNodes(parseNodesConfigOrThrow(text)));
    };
    return { peer: read(50), ours: read(500) };
  },
};

function repeat(times: number, work: () => unknown): void {
  for (let done = 0; done < times; done++) work();
}

function timeSync(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Reading and making configs. */
export const configBenches: readonly Bench[] = [
  ignition,
  nmstateHost,
  nmstateMany,
  nmstateLinear,
  policies,
  nodes,
  nodesMany,
  nodesMemory,
  nodesBonds,
  site,
  agentImageTime,
  agentImageMemory,
];
