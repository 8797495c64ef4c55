import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const SECRET = 'aHVudGVyMjpodW50ZXIy';

const USER = (members: string): string =>
  `{"ignition":{"version":"3.4.0"},"passwd":{"users":[{"name":"core",${members}}]}}`;

const CARD = (lines: string): string =>
  `interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n  802.1x:\n    identity: me\n    eap-methods: [tls]\n${lines}`;

test.each([
  ['ignition show', USER(`"passwordHash":"${SECRET}","colour":"red","uid":"x"`)],
  ['ignition show', USER(`"passwordHash":["${SECRET}"]`)],
  ['ignition show', USER(`"passwordHash":"${SECRET}`)],
  ['ignition validate', USER(`"passwordHash":"${SECRET}","uid":"x"`)],
  ['ignition merge', USER(`"uid":"x","passwordHash":"${SECRET}"`)],
  ['nmstate check', CARD(`    private-key-password: [${SECRET}]\n`)],
  ['nmstate check', CARD(`    private-key-password: "${SECRET}\n`)],
  ['nmstate check', CARD(`    {private-key-password: ${SECRET}, colour: red}\n`)],
  ['nodes validate', `hosts:\n- interfaces: [{macAddress: x}]\n  bmc: {colour: red, password: ${SECRET}}\n`],
  ['nodes validate --kind agent-config', `pullSecret: '{"auths":{"a":{"auth":"${SECRET}"}}}'\n`],
])('%s shows no secret of a file that it refuses: %#', async (command, input) => {
  const { status, stdout, stderr } = await coreiso([...command.split(' '), '-'], { input });
  expect(status).not.toBe(0);
  expect(stdout.toString() + stderr).not.toContain(SECRET);
});

test('nodes validate --json tells the hosts without their passwords', async () => {
  const input = `hosts:\n- interfaces: [{name: e, macAddress: "52:54:00:ab:00:01"}]\n  bmc: {username: admin, password: ${SECRET}}\n`;
  const { stdout } = await coreiso(['nodes', 'validate', '--json', '-'], { input });
  expect(stdout.toString()).toContain('admin');
  expect(stdout.toString()).not.toContain(SECRET);
});

test.each(['validate', 'plan', 'simulate --mac 52:54:00:ab:00:01', 'image --base base.iso'])(
  'nodes %s shows nothing of a pull secret that cannot be read',
  async (command) => {
    const cwd = scratchFolder();
    const config = 'hosts:\n- interfaces: [{name: eth0, macAddress: "52:54:00:ab:00:01"}]\n';
    for (const [name, content] of Object.entries({
      'nodes-config.yaml': config,
      'facts.json': JSON.stringify({ pullSecret: SECRET }),
    })) {
      writeFileSync(join(cwd, name), content);
    }
    await writeCopy(await sampleIso(), join(cwd, 'base.iso'));
    const { status, stdout, stderr } = await coreiso(['nodes', ...command.split(' '), '--cluster', 'facts.json'], {
      cwd,
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('invalid PullSecret configuration')]);
    expect(stdout.toString() + stderr).not.toContain(SECRET.slice(0, 6));
  },
);
