// The same inputs for programs of others: a process for each input, so these are slow and run only if the programs are
// installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, openLiveImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { formatGcListing, generateKeyfiles, keyfileOf, type Profile } from '@coreiso/nmstate';
import { type HostPlans, simulateBoot } from '@coreiso/nodes-config';
import { FakeRoot } from '../../../packages/openshift/test/join/fake-root.ts';
import { Choices } from '../choices.ts';
import { recorded } from '../goldens.ts';
import { packImage, unpackImage } from '../sparse.ts';
import { allowed, assertHolds, type Target, textOf } from '../target.ts';

const NAMES = ['eth0', 'eth1', 'eth00', 'ens3', 'bond0', 'eth0.5', 'a b', 'eth0.x y', ''];
const NICS = ['eth0', 'eth1', 'ens3', 'enp94s0f0np0', 'enp94s0f0np1', 'lo'];
const MACS = ['52:54:00:c0:de:01', '52:54:00:C0:DE:02', '52:54:00:c0:de:03', '52:54:00:c0:de:0a', '00:00:00:00:00:00'];
const KEYS = [
  'id',
  'interface-name',
  'parent',
  'master',
  'primary',
  'port1',
  'routing-rule0',
  'dns-search',
  'description',
  '',
];
const VALUES = [
  ...NAMES,
  'eth',
  'x=eth0',
  '192.0.2.1/24',
  'a\\nb',
  '$HOME',
  '"quoted"',
  '*',
  'é',
  'from iif eth0 oif eth1',
];
const SECTIONS = ['connection', 'bond', 'hsr', 'ipv4', 'ipv6', 'vlan', 'x=y'];

function profileOf(choices: Choices): Profile {
  const setting = () => ({ key: choices.pick(KEYS), value: choices.pick(VALUES) });
  const section = () => ({ name: choices.pick(SECTIONS), settings: choices.some(5, setting) });
  return { name: `${choices.pick(NAMES)}.nmconnection`, sections: [section(), ...choices.some(4, section)] };
}

function planOf(choices: Choices): HostPlans {
  const hosts = choices.some(6, () => ({
    interfaces: distinct(
      choices.some(4, () => ({ name: choices.pick(NAMES), macAddress: choices.pick(MACS), path: [] })),
    ),
    profiles: distinct(choices.some(4, () => profileOf(choices))),
  }));
  const plan = {
    diagnostics: [],
    hosts: hosts.map(({ interfaces, profiles }, position) => ({
      name: `host-${position}`,
      hostname: undefined,
      path: ['hosts', position],
      role: undefined,
      rootDeviceHints: {},
      interfaces,
      network: { directory: `host${position}`, profiles },
    })),
    files: hosts.flatMap(({ interfaces, profiles }, position) => {
      const table = interfaces.map(({ name, macAddress }) => `${macAddress}=${name}`).join('\n');
      return [{ name: 'mac_interface.ini', content: table }, ...profiles.map(keyfileOf)].map(({ name, content }) => ({
        path: `/etc/assisted/network/host${position}/${name}`,
        mode: 0o600,
        owner: 'root' as const,
        contents: content,
      }));
    }),
    architecture: undefined,
  };
  return plan as unknown as HostPlans;
}

function distinct<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return [...new Map(list.map((one) => [one.name, one])).values()];
}

let folder: string | undefined;

/** A file of this process for programs that read only files. */
function fileWith(bytes: Uint8Array): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'coreiso-fuzz-'));
    folder = made;
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  const path = join(folder, 'image.iso');
  writeFileSync(path, bytes);
  return path;
}

export const targets: readonly Target[] = [
  {
    name: 'judges/boot',
    needs: ['dash'],
    shape: 'bytes',
    longest: 300,
    seeds: () => [
      Uint8Array.from({ length: 60 }, (_, index) => index * 37),
      Uint8Array.of(1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1),
    ],
    run: (input) => {
      const choices = new Choices(input);
      const plan = planOf(choices);
      const nics = Object.fromEntries(choices.some(4, () => [choices.pick(NICS), choices.pick(MACS)]));
      const machine = {
        nics,
        existing: choices.pick([[], ['default.nmconnection'], ['eth0.nmconnection', 'other file']]),
        initrd: choices.upTo(1) === 1,
      };
      const root = new FakeRoot('own');
      try {
        for (const { path, contents, mode } of plan.files) root.write(path, contents, mode);
        root.machine(machine);
        const { status, output } = root.run('coreiso-network', ['dash']);
        assertHolds(status === 0, () => `the script ends with ${status}: ${output}`);
        const simulated = JSON.stringify(simulateBoot(plan, machine).files);
        assertHolds(
          JSON.stringify(root.profiles(machine.initrd)) === simulated,
          'the script leaves the files of the simulation',
        );
      } finally {
        root[Symbol.dispose]();
      }
    },
  },
  {
    name: 'judges/nmstate',
    needs: ['nmstatectl'],
    shape: 'tree',
    longest: 3000,
    steps: { base: 2_000_000, perByte: 4_000 },
    seeds: () => recorded('packages/nmstate/test/goldens/nmstate.json', /\.yml$/, 900).slice(0, 150),
    run: (input) => {
      // nmstatectl takes an empty value with a tag as null in some places and as text in others; we always take it as
      // text.
      if (input.includes(0x21)) return;
      const { status, stdout, stderr } = spawnSync('nmstatectl', ['gc', '-q', '-'], { input, encoding: 'utf8' });
      const outcome = generateKeyfiles(input.length === 0 ? '' : textOf(input), { mode: 'compatible' });
      assertHolds((status === 0) === outcome.ok, () =>
        outcome.ok ? `refuses what we take: ${stderr}` : `takes what we refuse: ${outcome.diagnostics[0]?.message}`,
      );
      if (outcome.ok) assertHolds(formatGcListing(outcome.value) === stdout, 'both write the same keyfiles');
    },
  },
  {
    name: 'judges/image',
    needs: ['coreos-installer'],
    shape: 'bytes',
    longest: 256 * 1024,
    memory: 256 * 1024 * 1024,
    steps: { base: 2_000_000, perByte: 200 },
    seeds: async () => [packImage(await bytesOf(await sampleIso()))],
    words: ['coreiso+', 'coreKarg', 'COREOS/KARGS.JSO', '"offset":', '"size":', '"files":', '"default":'],
    run: async (input) => {
      const source = unpackImage(input, { reads: 20_000, bytes: 1 << 26 });
      if (source.size > 1 << 23) return;
      const file = fileWith(await bytesOf(source));
      const { status, stdout } = spawnSync('coreos-installer', ['iso', 'kargs', 'show', file], { encoding: 'utf8' });
      const image = await allowed(() => openLiveImage(source));
      const ours = image?.kargs?.current;
      assertHolds(
        (status === 0) === (ours !== undefined),
        () =>
          `kargs are ${ours === undefined ? 'refused' : 'taken'} and ${status === 0 ? 'taken' : 'refused'} by coreos-installer`,
      );
      if (ours !== undefined) assertHolds(stdout === `${ours}\n`, 'both read the same kernel arguments');
    },
  },
];
