import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { applyEdits, type TextEdit } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { run } from '../../src/main.ts';
import { coreiso, scratchFolder } from '../support.ts';

const STATE = 'interfaces:\n  - name: eth0\n    type: ethernet\n    state: up # as always\n    mtu: 1500\n';
const BROKEN = STATE.replace('state: up', 'stat: up');

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o640 });
  }
  return folder;
}

/** Runs the program on a terminal with a user who answers. */
async function answering(
  argv: readonly string[],
  cwd: string,
  answer: string,
): Promise<{ status: number; said: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const asked = new Promise<void>((resolve) => {
    stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('[y/N]')) resolve();
    });
  });
  let said = '';
  stdout.on('data', (chunk) => {
    said += chunk;
  });
  const io = { cwd, env: {}, invokedAs: 'coreiso', signal: new AbortController().signal };
  const tty = { isTTY: true };
  const running = run(argv, {
    ...io,
    stdin: Object.assign(stdin, tty),
    stdout: Object.assign(stdout, tty),
    stderr: Object.assign(stderr, tty),
  });
  await asked;
  stdin.write(`${answer}\n`);
  return { status: await running, said };
}

describe('--fix', () => {
  test('shows a diff, changes the file in place, and checks the new contents', async () => {
    const cwd = folderWith({ 'a.yaml': BROKEN });
    const { status, stdout, stderr } = await coreiso(['nmstate', 'check', '--fix', '--yes', 'a.yaml'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'fixed a.yaml\n' });
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(STATE);
    expect(statSync(join(cwd, 'a.yaml')).mode & 0o777).toBe(0o640);
    const diff = stdout.toString().replace(/^a\.yaml: a valid.*\n/m, '');
    expect(diff).toContain('@@ -1,5 +1,5 @@');
  });

  describeWith(['patch'], 'the diff', () => {
    test('is accepted by patch', async () => {
      const cwd = folderWith({ 'a.yaml': BROKEN, 'b.yaml': BROKEN });
      const { stdout } = await coreiso(['nmstate', 'check', '--fix', '--yes', 'a.yaml'], { cwd });
      execFileSync('patch', ['b.yaml'], { cwd, input: stdout.toString().replace(/^a\.yaml: a valid.*\n/m, '') });
      expect(readFileSync(join(cwd, 'b.yaml'), 'utf8')).toBe(STATE);
    });
  });

  test('asks before it writes', async () => {
    const cwd = folderWith({ 'a.yaml': BROKEN });
    const no = await answering(['nmstate', 'check', '--fix', 'a.yaml'], cwd, 'n');
    expect(no.status).toBe(1);
    expect(no.said).toContain('Nothing was changed.');
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(BROKEN);
    const yes = await answering(['nmstate', 'check', '--fix', 'a.yaml'], cwd, 'y');
    expect(yes.status).toBe(0);
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(STATE);
  });

  test('leaves a file alone that another program changed during the question', async () => {
    const cwd = folderWith({ 'a.yaml': BROKEN });
    const [stdin, stderr] = [new PassThrough(), new PassThrough()];
    const tty = { isTTY: true };
    let said = '';
    stderr.on('data', (chunk) => {
      if (said.includes('[y/N]')) return;
      said += chunk;
      if (!said.includes('[y/N]')) return;
      writeFileSync(join(cwd, 'a.yaml'), `${BROKEN}# mine\n`);
      stdin.write('y\n');
    });
    const status = await run(['nmstate', 'check', '--fix', 'a.yaml'], {
      cwd,
      env: {},
      invokedAs: 'coreiso',
      signal: new AbortController().signal,
      stdin: Object.assign(stdin, tty),
      stdout: Object.assign(new PassThrough().resume(), tty),
      stderr: Object.assign(stderr, tty),
    });
    expect(status).toBe(1);
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(`${BROKEN}# mine\n`);
  });

  test('requires --yes without a terminal, and changes nothing', async () => {
    const cwd = folderWith({ 'a.yaml': BROKEN });
    const { status, stderr } = await coreiso(['nmstate', 'check', '--fix', 'a.yaml'], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain('not a terminal: pass --yes to apply fixes');
    expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toBe(BROKEN);
  });

  test.each([
    [['--fix', '-'], 'standard input cannot be fixed in place'],
    [['--yes', 'a.yaml'], "the argument '--yes' needs '--fix'"],
    [['--fix=some', 'a.yaml'], "unexpected value 'some' for '--fix'"],
  ])('refuses %j', async (argv, message) => {
    const cwd = folderWith({ 'a.yaml': BROKEN });
    const { status, stderr } = await coreiso(['nmstate', 'check', ...argv], { cwd, input: BROKEN });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test('writes through a link, and keeps line ends and the byte order mark', async () => {
    const config =
      '\ufeff{\r\n  "ignition": { "version": "3.4.0" },\r\n  "storage": { "files": [{ "path": "/a", "mode": 0644 }] }\r\n}\r\n';
    const cwd = folderWith({ 'real/a.ign': config });
    symlinkSync('real/a.ign', join(cwd, 'a.ign'));
    const { stderr } = await coreiso(['ignition', 'check', '--fix', '--yes', 'a.ign'], { cwd });
    expect(stderr).toContain('fixed a.ign');
    expect(lstatSync(join(cwd, 'a.ign')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, 'real/a.ign'), 'utf8')).toBe(config.replace('0644', '420'));
  });

  test('leaves ambiguous mistakes alone, and says so; =all applies the first fix', async () => {
    const text = `hosts:\n- hostname: worker-0\n  bogus: 1\n  interfaces:\n  - name: eth0\n    macAddress: 52:54:00:e7:05:72\n`;
    const cwd = folderWith({ 'nodes-config.yaml': text });
    const safe = await coreiso(['nodes', 'validate', '--fix', '--yes'], { cwd });
    expect(safe.status).toBe(1);
    expect(safe.stderr).toContain('no safe fixes found');
    expect(safe.stderr).toContain('`bogus`');
    const all = await coreiso(['nodes', 'validate', '--fix=all', '--yes'], { cwd });
    expect(all.status).toBe(0);
    expect(readFileSync(join(cwd, 'nodes-config.yaml'), 'utf8')).toBe(text.replace('  bogus: 1\n', ''));
  });

  test('repairs all files of a site, and shows none of their secrets', async () => {
    const install = [
      'apiVersion: v1',
      'baseDomain: example.test',
      'metadata:',
      '  name: one',
      'compute:',
      '- name: worker',
      "  replicas: '0'",
      'controlPlane:',
      '  name: master',
      '  replicas: 1',
      'networking:',
      '  machineNetwork:',
      '  - cidr: 192.0.2.0/24',
      'platform:',
      '  none: {}',
      'pullSecret: "{"auths": {"quay.example.test": {"auth": "dXNlcjpodW50ZXIy"}}}"',
      "sshKey: ''",
      '',
    ].join('\n');
    const agent = 'apiVersion: v1beta1\nkind: AgentConfig\nmetadata:\n  name: one\nrendezvousIp: 192.0.2.10\n';
    const cwd = folderWith({ 'install-config.yaml': install, 'agent-config.yaml': agent });
    const { stdout, stderr } = await coreiso(['agent', 'validate', '--fix', '--yes'], { cwd });
    expect(stderr).toContain('fixed install-config.yaml');
    expect(stderr).toContain('fixed agent-config.yaml');
    expect(`${stdout}${stderr}`).not.toContain('dXNlcjpodW50ZXIy');
    expect(stdout.toString()).toContain('<redacted>');
    const fixed = readFileSync(join(cwd, 'install-config.yaml'), 'utf8');
    expect(fixed).toContain('  replicas: 0\n');
    expect(fixed).toContain(`pullSecret: '{"auths": {"quay.example.test": {"auth": "dXNlcjpodW50ZXIy"}}}'`);
    expect(readFileSync(join(cwd, 'agent-config.yaml'), 'utf8')).toBe(agent.replace('Ip', 'IP'));
  });
});

describe('--json', () => {
  interface Finding {
    readonly code: string;
    readonly path: readonly (string | number)[];
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly fixes?: readonly {
      readonly safe: boolean;
      readonly title: string;
      readonly edits?: readonly TextEdit[];
    }[];
  }
  const HOST = 'hosts:\n- hostname: worker-0\n  interfaces:\n  - name: eth0\n    macAddress: 52:54:00:e7:05:72\n';
  const AGENT = 'apiVersion: v1beta1\nkind: AgentConfig\nmetadata:\n  name: one\nrendezvousIP: 192.0.2.10\n';
  const INSTALL = [
    'apiVersion: v1',
    'baseDomain: example.test',
    'metadata: {name: one}',
    'compute: [{name: worker, replicas: 0}]',
    'controlPlane: {name: master, replicas: 1}',
    'networking: {machineNetwork: [{cidr: 192.0.2.0/24}]}',
    'platform: {none: {}}',
    'pullSecret: \'{"auths": {"quay.example.test": {"auth": "dXNlcjpodW50ZXIy"}}}\'',
    '',
  ].join('\n');

  async function findings(argv: readonly string[], files: Readonly<Record<string, string>>): Promise<Finding[]> {
    const { stdout } = await coreiso([...argv, '--json'], { cwd: folderWith(files) });
    return JSON.parse(stdout.toString()).diagnostics;
  }

  test.each<[string, readonly string[], Record<string, string>, string, string, string]>([
    ['nodes validate', ['a.yaml'], { 'a.yaml': HOST }, 'a.yaml', 'hostname', 'hostnam'],
    ['nodes validate --compatible', ['a.yaml'], { 'a.yaml': HOST }, 'a.yaml', 'hostname', 'hostnam'],
    [
      'agent validate',
      [],
      { 'install-config.yaml': INSTALL, 'agent-config.yaml': AGENT },
      'agent-config.yaml',
      'IP',
      'Ip',
    ],
    ['agent validate', [], { 'install-config.yaml': INSTALL }, 'install-config.yaml', 'baseDomain', 'baseDomian'],
    ['nmstate check', ['a.yaml'], { 'a.yaml': STATE }, 'a.yaml', 'state', 'stat'],
    [
      'ignition check',
      ['a.ign'],
      { 'a.ign': '{"ignition":{"version":"3.4.0"},"storage":{}}' },
      'a.ign',
      'storage',
      'storag',
    ],
  ])(
    'of %s %j has the values of each message and a fix that repairs the file',
    async (command, argv, files, name, right, wrong) => {
      const whole = files[name] ?? '';
      const text = whole.replace(right, wrong);
      const found = await findings([...command.split(' '), ...argv], { ...files, [name]: text });
      for (const { path, arguments: named } of found)
        if (path.length > 0)
          expect(named).toMatchObject({
            place: expect.any(String),
            key: path.findLast((step) => typeof step === 'string'),
          });
      const one = found.find(({ fixes = [] }) => fixes[0]?.edits !== undefined);
      expect(one?.fixes?.[0]?.safe).toBe(true);
      expect(applyEdits(text, one?.fixes?.[0]?.edits ?? [])).toBe(whole);
    },
  );

  test('has no edit that writes a secret', async () => {
    const text = INSTALL.replace("'{", '"{').replace("}'", '}"');
    const found = await findings(['agent', 'validate'], { 'install-config.yaml': text, 'agent-config.yaml': AGENT });
    expect(found.flatMap(({ fixes = [] }) => fixes)).toContainEqual({ title: expect.any(String), safe: true });
    expect(JSON.stringify(found)).not.toContain('dXNlcjpodW50ZXIy');
    expect(JSON.stringify(found)).not.toContain('<redacted>');
  });

  test('has no secret from a misplaced member or one of the wrong type', async () => {
    const text = `${HOST}  spec:\n    bmc:\n      password: 8675309123\n  bmc:\n    adress: redfish://192.0.2.1/x\n    password: [4815162342]\n`;
    const found = await findings(['nodes', 'validate', 'a.yaml'], { 'a.yaml': text });
    expect(found.length).toBeGreaterThan(0);
    const shown = JSON.stringify(found.map((one) => [one.arguments, one.fixes]));
    expect(shown).not.toMatch(/8675309123|4815162342/);
  });

  test('is an empty list if nothing is wrong', async () => {
    expect(await findings(['nmstate', 'check', 'a.yaml'], { 'a.yaml': STATE })).toEqual([]);
  });
});

describe('ignition check', () => {
  test('reports all type errors at once, with fixes', async () => {
    const config =
      '{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"/etc/a","mode":"0644","overwrite":"true"}]}}';
    const { status, stdout } = await coreiso(['ignition', 'check', '--json', '-'], { input: config });
    const { diagnostics } = JSON.parse(stdout.toString());
    expect(status).toBe(1);
    const paths = diagnostics.map(({ path }: { path: unknown[] }) => path.at(-1));
    expect(paths).toEqual(['mode', 'overwrite']);
    for (const one of diagnostics) expect(one.fixes?.[0]?.safe, one.message).toBe(true);
  });

  test('says that a config is valid', async () => {
    const { status, stdout } = await coreiso(['ignition', 'check', '-'], { input: '{"ignition":{"version":"3.4.0"}}' });
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: '-: a valid Ignition config\n' });
  });
});

describe('schema', () => {
  test('prints the schema of each kind', async () => {
    const { KINDS } = await import('@coreiso/language');
    for (const kind of KINDS) {
      const { status, stdout } = await coreiso(['schema', kind]);
      expect(status).toBe(0);
      expect(JSON.parse(stdout.toString())).toMatchObject({ $schema: expect.stringContaining('draft-07') });
    }
  });

  test('refuses other kinds', async () => {
    const { status, stderr } = await coreiso(['schema', 'butane']);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining("unknown kind 'butane'") });
  });
});

describe('embedding a file that is not a config', () => {
  test.each([
    ['nothing', '', 'is empty'],
    ['blanks', ' \n', 'is empty'],
    ['YAML', 'variant: fcos\n', 'is not JSON'],
    ['a config', '{"ignition":{"version":"3.4.0"}}', ''],
  ])('warns a person of %s, and embeds it anyway', async (_, config, warning) => {
    const cwd = folderWith({ 'a.ign': config });
    const argv = ['pxe', 'ignition', 'wrap', '-i', 'a.ign', '-o', 'a.img'];
    const { status, stderr } = await coreiso(argv, { cwd, terminal: true });
    expect(status).toBe(0);
    expect(stderr).toContain(warning);
    if (warning === '') expect(stderr).toBe('');
    expect(statSync(join(cwd, 'a.img')).size).toBeGreaterThan(0);
  });

  test('prints no warning for scripts', async () => {
    const cwd = folderWith({ 'a.ign': '' });
    const { status, stderr } = await coreiso(['pxe', 'ignition', 'wrap', '-i', 'a.ign', '-o', 'a.img'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
