import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { nodesCommands } from '../../src/commands/nodes/nodes.ts';
import { singleHostConfig } from '../../src/commands/nodes/single-host.ts';
import { readArguments } from '../../src/frame/arguments.ts';
import { Terminal } from '../../src/frame/terminal.ts';
import { scratchFolder } from '../support.ts';

const MAC = ['--mac-address', '52:54:00:00:00:01'];
const HOST = { interfaces: [{ name: 'eth0', macAddress: '52:54:00:00:00:01' }] };

async function configOf(...argv: string[]) {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'key.pub'), 'ssh-ed25519 AAAA me\n');
  writeFileSync(join(cwd, 'network.yaml'), 'interfaces:\n- {name: eth0, type: ethernet, mtu: 9000}\n');
  const command = nodesCommands.find(({ name }) => name === 'image');
  if (command?.kind !== 'command') throw new Error('there is no nodes image');
  const args = await readArguments(argv, ['coreiso', 'nodes', 'image'], command);
  return await singleHostConfig(args, new Terminal({ cwd, signal: new AbortController().signal } as Terminal['io']));
}

test.each<[argv: string[], config: object]>([
  [[], { hosts: [HOST] }],
  [['--hostname', 'far-0'], { hosts: [{ hostname: 'far-0', ...HOST }] }],
  [['--cpu-architecture', 'arm64'], { cpuArchitecture: 'arm64', hosts: [HOST] }],
  [['--ssh-key-path', 'key.pub'], { sshKey: 'ssh-ed25519 AAAA me', hosts: [HOST] }],
  [
    ['--network-config-path', 'network.yaml'],
    { hosts: [{ ...HOST, networkConfig: { interfaces: [{ name: 'eth0', type: 'ethernet', mtu: 9000 }] } }] },
  ],
  ...(
    [
      ['deviceName:/dev/disk/by-path/a:b', { deviceName: '/dev/disk/by-path/a:b' }],
      ['minSizeGigabytes:120', { minSizeGigabytes: 120 }],
      ['minSizeGigabytes:12x', { minSizeGigabytes: '12x' }],
      ['rotational:true', { rotational: true }],
      ['rotational:false', { rotational: false }],
      ['rotational:no', { rotational: 'no' }],
      ['wwn:120', { wwn: '120' }],
    ] as const
  ).map(([hint, rootDeviceHints]): [string[], object] => [
    ['--root-device-hint', hint],
    { hosts: [{ ...HOST, rootDeviceHints }] },
  ]),
])('makes the host of --mac-address with %j', async (argv, config) => {
  const file = await configOf(...MAC, ...argv);
  expect(file?.name).toBe('(the host of --mac-address)');
  expect(load(new TextDecoder().decode(file?.bytes))).toEqual(config);
});

test.each([
  '--hostname=a',
  '--cpu-architecture=a',
  '--ssh-key-path=a',
  '--root-device-hint=a:b',
  '--network-config-path=a',
])('%s needs --mac-address', async (flag) => {
  const name = flag.replace(/^--|=.*/g, '');
  await expect(configOf(flag)).rejects.toThrow(
    `found flag \`${name}\` configured, but it requires also flag \`mac-address\` to be set`,
  );
});

test.each(['x', ':x', 'x:', ''])('the hint %j is refused', async (hint) => {
  await expect(configOf(...MAC, `--root-device-hint=${hint}`)).rejects.toThrow(
    `incorrect rootDeviceHints format provided: ${hint}. Expected format: <hint name>:<value>`,
  );
});

test('reads a file if there are no flags, and refuses a file with flags', async () => {
  expect(await configOf()).toBeUndefined();
  expect(await configOf('nodes-config.yaml')).toBeUndefined();
  await expect(configOf(...MAC, 'nodes-config.yaml')).rejects.toThrow(
    "the argument '--mac-address <MAC>' cannot be used with '[FILE]'",
  );
});
