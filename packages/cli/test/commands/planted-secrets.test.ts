// Plants a secret in every kind of input and runs every command on them: normally, with --json, with debug logs, and on truncated files.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goYaml, parseYaml, toPlain } from '@coreiso/diagnostics';
import { samples } from '@coreiso/nodes-config';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TRIES } from '../../../../e2e/packed/commands.ts';
import { prepareInputs } from '../../../../e2e/packed/inputs.ts';
import { coreiso, scratchFolder } from '../support.ts';

const WORD = 'sekret-5e8a1f';
const IN_URL = `http://user:${WORD}@192.0.2.250:3128`;
const PULL_SECRET = JSON.stringify({ auths: { 'quay.example.test': { auth: btoa(`user:${WORD}`) } } });
const KEY = `-----BEGIN PRIVATE KEY-----\n${btoa(`key ${WORD} key`)}\n-----END PRIVATE KEY-----\n`;

/** Commands whose purpose is to print their input. */
const PRODUCTS = new Set([
  ...['ignition merge', 'ignition translate', 'nodes ignition', 'nodes facts', 'nmstate gc', 'nmstate validate'],
]);

// biome-ignore lint/suspicious/noExplicitAny: samples, into which secrets are put
function plain(text: string): any {
  const [outcome] = parseYaml(text);
  if (!outcome.ok || outcome.value.root === undefined) throw new Error('the sample is no YAML');
  const value = toPlain(outcome.value.root, goYaml);
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
}

const DOT1X = { '802.1x': { identity: 'me', 'eap-methods': ['peap'], password: WORD, 'private-key-password': WORD } };
const IGNITION = {
  ignition: {
    version: '3.4.0',
    config: {
      merge: [
        {
          source: `http://user:${WORD}@192.0.2.250/a.ign`,
          httpHeaders: [{ name: 'Authorization', value: `Bearer ${WORD}` }],
        },
      ],
    },
  },
  passwd: { users: [{ name: 'core', passwordHash: `$6$${WORD}` }] },
  storage: {
    files: [
      { path: '/etc/token', mode: 384, contents: { source: `data:,${WORD}` } },
      { path: '/etc/key', contents: { source: `data:;base64,${btoa(KEY)}` } },
    ],
  },
};

function planted(): Readonly<Record<string, string>> {
  const nodes = plain(samples.nodesConfig);
  nodes.hosts[0].bmc = { address: `redfish://user:${WORD}@192.0.2.9/x`, username: 'admin', password: WORD };
  Object.assign(nodes.hosts[0].networkConfig.interfaces[0], DOT1X);
  const install = plain(samples.installConfig);
  install.pullSecret = PULL_SECRET;
  install.proxy = { httpProxy: IN_URL, noProxy: '.example.test' };
  const agent = plain(samples.agentConfig);
  for (const host of agent.hosts) for (const one of host.networkConfig?.interfaces ?? []) Object.assign(one, DOT1X);
  const facts = {
    ...samples.facts,
    pullSecret: PULL_SECRET,
    proxy: { httpProxy: IN_URL, httpsProxy: IN_URL, noProxy: '.x.test' },
  };
  const kubeconfig = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a' },
    clusters: [{ name: 'a', cluster: { server: `https://user:${WORD}@127.0.0.1:9` } }],
    users: [{ name: 'a', user: { token: WORD, 'client-key-data': btoa(KEY) } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  };
  const site = JSON.stringify(install);
  return {
    'worker.ign': JSON.stringify(IGNITION),
    'base.ign': JSON.stringify(IGNITION),
    'nodes-config.yaml': JSON.stringify(nodes),
    'bond.yaml': JSON.stringify({ interfaces: [{ name: 'eth0', type: 'ethernet', state: 'up', ...DOT1X }] }),
    'install-config.yaml': site,
    'agent-config.yaml': JSON.stringify(agent),
    'site/install-config.yaml': site,
    'site/agent-config.yaml': JSON.stringify(agent),
    'cluster.json': JSON.stringify(facts),
    'eno1.nmconnection': `[connection]\nid=eno1\ntype=ethernet\n[802-1x]\npassword=${WORD}\n[wifi-security]\npsk=${WORD}\n`,
    'kubeconfig.yaml': JSON.stringify(kubeconfig),
  };
}

const ENVIRONMENT = {
  KUBECONFIG: 'kubeconfig.yaml',
  AWS_SECRET_ACCESS_KEY: WORD,
  AWS_ACCESS_KEY_ID: 'a',
  HTTPS_PROXY: `http://user:${WORD}@127.0.0.1:9`,
  COREISO_CACHE: 'cache',
};

/** Whether a text has the secret in plain text, in base64 or in base64 within base64. */
function leaks(text: string, depth = 2): boolean {
  if (text.includes(WORD)) return true;
  const runs = depth === 0 ? [] : (text.match(/[\w+/-]{12,}/g) ?? []);
  return runs.some((run) => leaks(Buffer.from(run, 'base64').toString('latin1'), depth - 1));
}

/** Lists files with the secret that others can read, except for the inputs. */
function openFiles(folder: string, inputs: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const stats = statSync(join(folder, name));
    if (!stats.isFile() || inputs.includes(name) || (stats.mode & 0o077) === 0) return false;
    return leaks(readFileSync(join(folder, name), 'latin1'));
  });
}

const files = planted();

/** Returns the normal way to run a command and one other way; all with `COREISO_EXHAUSTIVE=1`. */
function waysOf(name: string): readonly (readonly string[])[] {
  const others = [['--json'], ['--log-level', 'debug'], ['cut']];
  const at = Object.keys(TRIES).indexOf(name) % others.length;
  return [[], ...(process.env['COREISO_EXHAUSTIVE'] === '1' ? others : others.slice(at, at + 1))];
}

let prepared: string;
beforeAll(async () => {
  prepared = mkdtempSync(join(tmpdir(), 'coreiso-planted-'));
  await prepareInputs(prepared);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(prepared, name), text, { mode: 0o600 });
});
afterAll(() => rmSync(prepared, { recursive: true, force: true }));

test.each(
  Object.entries(TRIES).map(([name, one]) =>
    typeof one === 'string' ? ([name, one, 0] as const) : ([name, ...one] as const),
  ),
)('%s shows no secret, and leaves none in a readable file', async (name, line, status) => {
  const statuses: number[] = [];
  for (const more of waysOf(name)) {
    const cwd = scratchFolder();
    cpSync(prepared, cwd, { recursive: true });
    const isCut = more[0] === 'cut';
    for (const [file, text] of isCut ? Object.entries(files) : [])
      writeFileSync(join(cwd, file), text.slice(0, text.lastIndexOf(WORD) + WORD.length));
    const argv = [...line.split(' '), ...(isCut ? [] : more)];
    const { status: ended, stdout, stderr } = await coreiso(argv, { cwd, env: ENVIRONMENT });
    statuses.push(ended);
    const shown = PRODUCTS.has(name) ? stderr : stdout.toString() + stderr;
    expect([more, leaks(shown), openFiles(cwd, Object.keys(files))]).toEqual([more, false, []]);
  }
  expect(statuses[0]).toBe(status);
});

test('the check detects a secret in every encoding', () => {
  expect([WORD, btoa(`u:${WORD}`), btoa(PULL_SECRET)].map((text) => leaks(text))).toEqual([true, true, true]);
});

test.each([
  ['direct', 'status token, proxy password, network passwords'],
  ['service', 'pull secret, service tokens (until 2031-02-03T04:05:06Z), proxy password, network passwords'],
])('the summary of an image for join %s lists its credentials and their expiry', async (join_, held) => {
  const argv = `nodes image --base rhcos-live.iso --cluster cluster.json --join ${join_} --valid-until 2031-02-03T04:05:06Z`;
  const built = async (...more: string[]) => {
    const cwd = scratchFolder();
    cpSync(prepared, cwd, { recursive: true });
    return (await coreiso([...argv.split(' '), ...more], { cwd, env: ENVIRONMENT })).stdout.toString();
  };
  expect(await built()).toContain(`Keep it safe, it holds credentials: ${held}.\n`);
  const { credentials } = JSON.parse(await built('--json'));
  const words = credentials.map(({ name, expires }: { name: string; expires: string | null }) =>
    expires === null ? name : `${name} (until ${expires})`,
  );
  expect(words.join(', ')).toBe(held);
});

test('the summary of a new cluster lists the credentials in its image', async () => {
  const cwd = scratchFolder();
  cpSync(prepared, cwd, { recursive: true });
  const { stdout } = await coreiso((TRIES['agent create image'] as string).split(' '), { cwd, env: ENVIRONMENT });
  expect(stdout.toString()).toMatch(
    /it holds credentials: pull secret, keys of the cluster \(until \S+Z\), service tokens\b/,
  );
});
