import { type Diagnostic, formatDiagnostics } from '@coreiso/diagnostics';
import { factsFromObjects, parseAgentConfig, parseClusterFacts, parseNodesConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const SECRET = 'cG9pbnQtYnJlYWs6aHVudGVyMg';
const CONFIG = 'hosts:\n- interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]\n';

/** All texts that a program could print for a finding. */
function printed(diagnostics: readonly Diagnostic[], text?: string): string {
  return `${JSON.stringify(diagnostics)}\n${formatDiagnostics(diagnostics, { text })}`;
}

describe('a pull secret is never part of a message', () => {
  test.each([
    ['base64 of it', SECRET],
    ['single quotes', `{'auths': {'quay.example.test': {'auth': '${SECRET}'}}}`],
    ['an unclosed string', `{"auths":{"quay.example.test":{"auth":"${SECRET}`],
    ['a bare token', `${SECRET} `],
    ['a token in quotes', `"${SECRET}"`],
    ['a token for a registry', `{"auths":{"${SECRET}":{}}}`],
    ['a token for a key', `{"${SECRET}":{}}`],
    ['a list', `["${SECRET}"]`],
    ['something before it', `x${SECRET}`],
  ])('%s', (_, pullSecret) => {
    const { ok, diagnostics } = parseNodesConfig(CONFIG, { cluster: { pullSecret } });
    expect(ok).toBe(false);
    expect(diagnostics).toMatchObject([{ code: 'nodes-config/pull-secret', upstream: true }]);
    expect(printed(diagnostics)).not.toContain(SECRET);
    expect(printed(diagnostics)).not.toContain(SECRET.slice(1, 9));
  });

  test('but the help names the incomplete entry, and the place where JSON ends', () => {
    const manifests = ['{"auths":{"a":{"auth":"x"},"b":{}}}', '{"auths" 1}'].map((pullSecret) => {
      return parseNodesConfig(CONFIG, { cluster: { pullSecret } }).diagnostics[0]?.help;
    });
    expect(manifests).toEqual([
      expect.stringContaining('entry 2 of `auths`'),
      expect.stringContaining('at character 10.'),
    ]);
  });
});

const network = (lines: string): string =>
  `hosts:\n- interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]\n  networkConfig:\n    interfaces:\n    - name: eth0\n      type: ethernet\n      state: up\n      ipv4: {enabled: true, dhcp: true}\n${lines}`;

const dot1x = (password: string): string =>
  network(`      802.1x:\n        identity: me\n        eap-methods: [md5]\n        password: ${password}\n`);

describe('other secrets of a document are never part of a message or of an excerpt', () => {
  test.each([
    [
      'a password of a management controller that is a number',
      `${CONFIG}  bmc:\n    password: 0777123456\n`,
      '777123456',
    ],
    ['one that is a list', `${CONFIG}  bmc:\n    password: [${SECRET}]\n`, SECRET],
    ['one with a tag that does not fit', `${CONFIG}  bmc:\n    password: !!int ${SECRET}\n`, SECRET],
    ['one that breaks the text', `${CONFIG}  bmc:\n    password: "${SECRET}\n  role: worker\n`, SECRET],
    ['one with a key that was mistyped', `${CONFIG}  bmc: {pasword: ${SECRET}}\n`, SECRET],
    ['the password of an address', `bootArtifactsBaseURL: "h\\ttp://me:${SECRET}@boot.test/"\n${CONFIG}`, SECRET],
    ['a key beside it that is wrong', `${CONFIG}  bmc: {password: ${SECRET}, colour: red}\n`, SECRET],
    ['a network password that arrives changed', dot1x(`'${SECRET}\\'`), SECRET],
    ['a network password of two lines', dot1x(`"a\\n${SECRET}"`), SECRET],
    ['a network password that is a number', dot1x('0x7771234'), '7771234'],
    ['a network password that is a list', dot1x(`[${SECRET}]`), SECRET],
    [
      'a private key for a public one',
      `sshKey: |\n  -----BEGIN OPENSSH PRIVATE KEY-----\n  ${SECRET}\n  -----END OPENSSH PRIVATE KEY-----\n${CONFIG}`,
      SECRET,
    ],
  ])('%s', (_, text, secret) => {
    const { diagnostics } = parseNodesConfig(text);
    expect(diagnostics).not.toEqual([]);
    expect(printed(diagnostics, text)).not.toContain(secret);
  });

  test('a text that does not look like a public key but is written in its place', () => {
    expect(printed(parseNodesConfig(`sshKey: ${SECRET}\n${CONFIG}`).diagnostics)).not.toContain(SECRET);
  });

  test('a pull secret in an agent-config', () => {
    const text = `apiVersion: v1beta1\npullSecret: '{"auths":{"a":{"auth":"${SECRET}"}}}'\n`;
    expect(printed(parseAgentConfig(text).diagnostics, text)).not.toContain(SECRET);
  });

  test('worker user data that is not JSON', () => {
    const userData = Buffer.from(SECRET).toString('base64');
    const secret = { kind: 'Secret', metadata: { name: 'worker-user-data-managed' }, data: { userData } };
    expect(printed(factsFromObjects([secret]).diagnostics)).not.toMatch(/'c'|cG9p/);
  });

  test('facts of the wrong type', () => {
    const text = `pullSecret: [${SECRET}]\nplatform: 7\n`;
    expect(printed(parseClusterFacts(text).diagnostics, text)).not.toContain(SECRET);
  });
});
