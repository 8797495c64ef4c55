import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { coreiso, scratchFolder } from '../support.ts';

/** States whose wrapper needs every style of YAML string. */
const STATES = {
  'an empty state': '',
  'one interface': 'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n  ipv4: {enabled: true, dhcp: true}\n',
  'a description that ends in a blank': 'interfaces:\n- name: eth0\n  type: ethernet\n  description: "x "\n',
  'a description with a tab and letters': 'interfaces:\n- name: eth0\n  type: ethernet\n  description: "a\\tü"\n',
  'a description of two lines': 'interfaces:\n- name: eth0\n  type: ethernet\n  description: "a\\nb\\n"\n',
  'descriptions that libyaml escapes, or breaks lines at':
    'interfaces:\n- {name: a, type: dummy, description: "a\\N😀"}\n- {name: b, type: dummy, description: "a\\Lx\\Py"}\n- {name: c, type: dummy, description: "\\uFEFF\\uE000"}\n',
  'a name that needs quotes': 'interfaces:\n- name: "@x: y"\n  type: dummy\n',
  'a refusal':
    'interfaces:\n- name: br0\n  type: ovs-bridge\n  bridge: {port: [{name: a}, {name: a}]}\n  ipv4: {enabled: true}\n',
  'a policy with captures':
    'capture: {a: interfaces.name == "eth0"}\ncurrent: {interfaces: [{name: eth0, type: ethernet, mtu: 1400}]}\ndesired: {interfaces: [{name: d, type: dummy, mtu: "{{ capture.a.interfaces.0.mtu }}"}]}\n',
  'a capture that finds nothing':
    'capture: {a: interfaces.name == "eth1"}\ncurrent: {interfaces: [{name: eth0, type: ethernet}]}\ndesired: {interfaces: "{{ capture.a.interfaces }}"}\n',
  'captures in a circle':
    'capture: {a: capture.a | interfaces.name == "eth1"}\ncurrent: {interfaces: []}\ndesired: {interfaces: []}\n',
  'a byte order mark': '\ufeffinterfaces:\n- name: eth0\n  type: ethernet\n',
};

/** Without a current state, their desired states are not checked. */
const POLICIES = {
  'a policy that captures': 'capture:\n  base: interfaces.name == "eth0"\ndesired:\n  interfaces: []\n',
  'a policy that wants the impossible': `desired:\n  interfaces:\n  - name: br0\n    type: ovs-bridge\n    ipv4: {enabled: true}\n`,
};

describeWith(['nmstatectl'], 'nmstate gc prints what nmstatectl gc prints', () => {
  test.each(Object.entries(STATES))('for %s', async (_, input) => {
    const real = run('nmstatectl', ['gc', '-q', '-'], { input: Buffer.from(input) });
    const ours = await coreiso(['nmstate', 'gc', '-q', '-'], { input });
    expect(ours.status).toBe(real.status);
    expect(ours.stdout.toString()).toBe(real.stdout.toString());
    if (real.stderr.startsWith('NmstateError: ')) expect(ours.stderr).toBe(real.stderr);
  });
});

describe('nmstate gc', () => {
  test.each([
    [
      'a missing file',
      ['nmstate', 'gc', 'none.yml'],
      undefined,
      'std::io::Error: No such file or directory (os error 2)\n',
    ],
    [
      'bytes that are not text',
      ['nmstate', 'gc', '-'],
      Uint8Array.of(0xff, 0xfe),
      'std::io::Error: stream did not contain valid UTF-8\n',
    ],
  ])('refuses %s', async (_, argv, input, stderr) => {
    expect(await coreiso(argv, input === undefined ? {} : { input })).toMatchObject({ status: 1, stderr });
  });
});

describe('nmstate gc of policies', () => {
  const gc = async (policy: string): Promise<{ status: number; stdout: string; stderr: string }> => {
    const { status, stdout, stderr } = await coreiso(['nmstate', 'gc', '-q', '-'], { input: policy });
    return { status, stdout: stdout.toString(), stderr };
  };
  const current = 'current: {routes: {config: []}, interfaces: [{name: eth0, type: ethernet, mtu: 1400}]}\n';
  const capture = 'capture: {a: interfaces.name == "eth0"}\n';

  test('fills in values of the current state', async () => {
    const desired = 'desired: {interfaces: [{name: d, type: dummy, mtu: "{{ capture.a.interfaces.0.mtu }}"}]}\n';
    expect(await gc(capture + current + desired)).toMatchObject({ status: 0, stderr: '' });
    expect((await gc(capture + current + desired)).stdout).toContain('mtu=1400');
  });

  test('marks a reference without a target', async () => {
    const stderr = `NmstateError: PolicyError: interface with 'name=eth1' not found
| interfaces.name == "eth1"
| ...........^
`;
    expect(await gc(capture.replace('eth0', 'eth1') + current)).toMatchObject({ status: 1, stderr });
  });

  test.each([
    ['interfaces: [{name: d, type: dummy}, {name: eth0, type: ethernet, mtu: 1400}]', 'eth0'],
    ['interfaces: "{{ capture.a.interfaces }}"', 'eth0'],
    ['routes: {config: []}', 'routes'],
  ])('refuses and names a part that is in both states: %s', async (desired, name) => {
    const { status, stderr } = await gc(`${capture}${current}desired: {${desired}}\n`);
    expect(status).toBe(1);
    expect(stderr).toContain(`\`${name}\` is in \`current\` as well`);
  });
});

describeWith(['nmstatectl'], 'nmstate validate reports the errors of nmstatectl validate', () => {
  test.each(Object.entries({ ...STATES, ...POLICIES }))('for %s', async (_, input) => {
    const real = run('nmstatectl', ['validate', '-q', '-'], { input: Buffer.from(input) });
    const ours = await coreiso(['nmstate', 'validate', '-q', '-'], { input });
    expect(ours.status).toBe(real.status);
    expect(ours.stdout.length > 0).toBe(real.stdout.length > 0);
    if (real.stderr.startsWith('NmstateError: ')) expect(ours.stderr).toBe(real.stderr);
  });
});

describe('nmstate validate', () => {
  const STATE = 'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n';

  test.each([
    ['a file', ['nmstate', 'validate', 'a.yaml'], {}],
    ['standard input', ['nmstate', 'validate'], { input: STATE }],
    ['the same by its name', ['nmstate', 'validate', '-q', '-'], { input: STATE }],
  ])('prints the valid state from %s', async (_, argv, more) => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'a.yaml'), STATE);
    const { status, stdout, stderr } = await coreiso(argv, { cwd, ...more });
    expect([status, stdout.toString(), stderr]).toEqual([0, `${STATE}\n`, '']);
  });

  test.each([
    ['a state that nmstate refuses', STATES['a refusal'], /^NmstateError: InvalidArgument: /],
    ['what is no state', 'interfaces: 7\n', /^Provide file is not valid NetworkState or NetworkPolicy: /],
    ['a policy that is none', 'desired: {interfaces: []}\nelse: 1\n', /^Provide file is not valid NetworkState or/],
  ])('refuses %s like gc, and prints nothing', async (_, input, words) => {
    const { status, stdout, stderr } = await coreiso(['nmstate', 'validate', '-'], { input });
    expect([status, stdout.toString(), stderr]).toEqual([1, '', expect.stringMatching(words)]);
    expect((await coreiso(['nmstate', 'gc', '-'], { input })).stderr).toBe(stderr);
  });

  test.each(Object.entries(POLICIES))('accepts %s without checking its desired state', async (_, input) => {
    const { status, stdout } = await coreiso(['nmstate', 'validate', '-'], { input });
    expect([status, stdout.toString()]).toEqual([0, `${input}\n`]);
  });

  test('reports that --current is not supported', async () => {
    const { status, stderr } = await coreiso(['nmstate', 'validate', '-c', 'now.yaml', '-'], { input: STATE });
    expect([status, stderr]).toEqual([1, expect.stringContaining('--current is not supported')]);
  });
});

describe('nmstate check', () => {
  test('shows every mistake with line, column and caret', async () => {
    const input = 'interfaces:\n- name: eth0\n  type: ethernet\n  mtuu: 9000\n';
    const { status, stderr } = await coreiso(['nmstate', 'check', '-'], { input });
    expect(status).toBe(1);
    expect(stderr).toContain('standard input:4:3: error: ');
    expect(stderr).toContain('  4 |   mtuu: 9000\n    |   ^');
    expect(stderr).toContain('mtu');
  });

  test('writes keyfiles that only the owner can read, and none outside of the directory', async () => {
    const cwd = scratchFolder();
    const input = 'interfaces:\n- {name: eth0, type: ethernet, ipv4: {enabled: true, dhcp: true}}\n';
    const { status, stdout } = await coreiso(['nmstate', 'check', '--output', 'keyfiles', '-'], { cwd, input });
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: 'keyfiles/eth0.nmconnection\n' });
    expect(statSync(join(cwd, 'keyfiles/eth0.nmconnection')).mode & 0o777).toBe(0o600);
    const stray = input.replace('type:', 'profile-name: ../up, type:');
    expect((await coreiso(['nmstate', 'check', '--output', 'keyfiles', '-'], { cwd, input: stray })).status).toBe(1);
    expect(readdirSync(cwd)).toEqual(['keyfiles']);
  });
});

describe('nmstate draw', () => {
  test('prints a picture named after the file', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'left.yaml'), 'interfaces: [{name: eth0, type: ethernet}]\n');
    const { status, stdout } = await coreiso(['nmstate', 'draw', 'left.yaml'], { cwd });
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(
      /^<svg [\s\S]*<title>Network of left<\/title>[\s\S]*>eth0<\/text>[\s\S]*<\/svg>\n$/,
    );
    const named = await coreiso(['nmstate', 'draw', '--title', 'right', '-'], { cwd, input: 'interfaces: []\n' });
    expect(named.stdout.toString()).toContain('<title>Network of right</title>');
  });

  test('draws nothing for an unreadable text', async () => {
    const { status, stdout, stderr } = await coreiso(['nmstate', 'draw', '-'], { input: 'interfaces: [' });
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(':1:14: error: ');
  });
});

describe('nodes plan --svg', () => {
  test('prints one picture of all hosts', async () => {
    const cwd = scratchFolder();
    const config = `hosts:
- hostname: left
  interfaces: [{name: nic0, macAddress: '52:54:00:00:00:01'}]
  networkConfig:
    interfaces: [{name: nic0, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}}]
- interfaces: [{name: nic0, macAddress: '52:54:00:00:00:02'}]
`;
    writeFileSync(join(cwd, 'nodes-config.yaml'), config);
    const { status, stdout } = await coreiso(['nodes', 'plan', '--svg'], { cwd });
    expect(status).toBe(0);
    for (const text of ['<title>Networks of 2 hosts</title>', '>left</text>', '>nic0</text>', '>host 1</text>'])
      expect(stdout.toString()).toContain(text);
  });
});
