// Files for a support case: their secrets are gone, everything else remains.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const WORD = 'sekret-5e8a1f';
const AUTHS = JSON.stringify({
  auths: { 'quay.example.test': { auth: btoa(`user:${WORD}`), email: 'me@example.test' } },
});
const KEY = `-----BEGIN PRIVATE KEY-----\n${btoa(`key ${WORD} key`)}\n-----END PRIVATE KEY-----\n`;

/** Each file with the texts that have to remain. */
const FILES: Readonly<Record<string, readonly [text: string, stays: readonly string[]]>> = {
  'node.x86_64.report.json': [
    JSON.stringify({
      end_time: '2026-11-19T00:00:00Z',
      result: { exit_code: 0, error_message: `cannot reach https://user:${WORD}@registry.example.test/v2/` },
      status: { port: 8443, token: WORD, certificate: 'a certificate' },
    }),
    ['2026-11-19T00:00:00Z', 'registry.example.test/v2/', '8443', 'a certificate'],
  ],
  'install-config.yaml': [
    `# a comment\nmetadata: { name: harbour }\npullSecret: '${AUTHS}'\nproxy:\n  httpProxy: http://user:${WORD}@proxy.example.test:3128\nplatform:\n  baremetal:\n    hosts:\n    - name: master-0\n      bmc:\n        address: redfish://192.0.2.9/x\n        username: admin\n        password: ${WORD}\nadditionalTrustBundle: |\n  a certificate\n`,
    ['# a comment', 'harbour', 'proxy.example.test:3128', 'redfish://192.0.2.9/x', 'a certificate'],
  ],
  'nodes-config.yaml': [
    `hosts:\n- hostname: worker-0\n  networkConfig:\n    interfaces:\n    - name: eno1\n      802.1x:\n        identity: me\n        password: "${WORD}"\n        private-key-password: >-\n          ${WORD}\n          ${WORD}\n`,
    ['worker-0', 'eno1', 'identity: me'],
  ],
  'worker.ign': [
    JSON.stringify({
      ignition: { version: '3.4.0', config: { merge: [{ source: `http://user:${WORD}@192.0.2.250/a.ign` }] } },
      passwd: { users: [{ name: 'core', passwordHash: `$6$salt$${WORD}` }] },
      storage: {
        files: [
          { path: '/etc/token', contents: { source: `data:,${WORD}` } },
          { path: '/etc/app', contents: { source: `data:;base64,${btoa(`retries: 5\npassword: ${WORD}\n`)}` } },
          { path: '/etc/motd', contents: { source: 'data:,hello' } },
        ],
      },
    }),
    ['3.4.0', '192.0.2.250/a.ign', '/etc/token', 'retries', 'data:,hello'],
  ],
  'worker.bu': [
    `variant: fcos\nstorage:\n  files:\n  - path: /etc/app\n    contents:\n      source: data:;base64,${btoa(`retries: 5\npassword: ${WORD}\n`)}\n`,
    ['variant: fcos', '/etc/app'],
  ],
  'cluster.json': [JSON.stringify({ pullSecret: AUTHS, proxy: { httpsProxy: `http://u:${WORD}@p.test` } }), ['p.test']],
  'kubeconfig.yaml': [
    `apiVersion: v1\nclusters:\n- name: a\n  cluster: { server: 'https://api.example.test:6443' }\nusers:\n- name: admin\n  user:\n    token: ${WORD}\n    client-key-data: ${btoa(KEY)}\n`,
    ['https://api.example.test:6443', 'admin'],
  ],
  'secret.yaml': [
    `kind: Secret\nmetadata:\n  name: harbour\ndata:\n  whatever: ${btoa(WORD)}\n`,
    ['kind: Secret', 'harbour'],
  ],
  'eno1.nmconnection': [
    `[connection]\nid=eno1\n[802-1x]\npassword=${WORD}\n[wifi-security]\npsk=${WORD}\n`,
    ['id=eno1', '[802-1x]'],
  ],
  'service.log': [
    `12:00 level=info msg="hello"\nAuthorization: Bearer ${WORD}.${WORD}\nGET /image?token=${WORD}&arch=x86_64\n${KEY}12:01 done\n`,
    ['12:00 level=info msg="hello"', '12:01 done'],
  ],
};

/** Whether a text has the secret in plain text, in base64 or in base64 within base64. */
function leaks(text: string, depth = 2): boolean {
  if (text.includes(WORD)) return true;
  const runs = depth === 0 ? [] : (text.match(/[\w+/-]{12,}/g) ?? []);
  return runs.some((run) => leaks(Buffer.from(run, 'base64').toString('latin1'), depth - 1));
}

async function redacted(name: string, text: string): Promise<string> {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, name), text, { mode: 0o600 });
  const { status, stdout, stderr } = await coreiso(['redact', name], { cwd });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.toString();
}

test.each(Object.entries(FILES))('%s has no secret left, and keeps everything else', async (name, [text, stays]) => {
  expect(leaks(text)).toBe(true);
  const shown = await redacted(name, text);
  expect(leaks(shown)).toBe(false);
  expect(stays.filter((part) => !decodeURIComponent(shown).includes(part))).toEqual([]);
  if (text.startsWith('{')) expect(Object.keys(JSON.parse(shown))).toEqual(Object.keys(JSON.parse(text)));
});

test.each(Object.entries(FILES))('%s has no secret when truncated in its last secret', async (name, [text]) => {
  const at = text.lastIndexOf(WORD);
  const cut = at === -1 ? text.slice(0, -10) : text.slice(0, at + WORD.length);
  expect(leaks(await redacted(name, cut))).toBe(false);
});

test('a state file is a map of documents without secrets', async () => {
  const [install] = FILES['install-config.yaml'] ?? [];
  const state = {
    '*installconfig.InstallConfig': { Config: { pullSecret: AUTHS }, File: { Data: btoa(install ?? '') } },
  };
  expect(leaks(await redacted('.openshift_install_state.json', JSON.stringify(state)))).toBe(false);
});

test('a log can come from standard input, and binary data is refused', async () => {
  const piped = await coreiso(['redact', '-'], { input: `  password: ${WORD}\n  port: 1\n` });
  expect(piped.stdout.toString()).toBe('  password: <redacted>\n  port: 1\n');
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'disk.iso'), Uint8Array.of(0, 255, 254, 0, 128));
  const refused = await coreiso(['redact', 'disk.iso'], { cwd });
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('disk.iso is not text')]);
});
