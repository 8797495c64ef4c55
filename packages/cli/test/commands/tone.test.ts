// The table "Before and after" of docs/words.md, as commands print it.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const WORDS = readFileSync(fileURLToPath(new URL('../../../../docs/words.md', import.meta.url)), 'utf8');
const rows = [...(/^## Before and after$([\s\S]*?)^## /m.exec(WORDS)?.[1] ?? '').matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)]
  .map(([, before = '', after = '']) => ({ before, after }))
  .filter(({ before }) => !/^(?:Before|-+)$/.test(before));

let cwd: string;
let server: Server;
beforeAll(async () => {
  cwd = scratchFolder();
  // A cluster that denies all reads.
  server = createServer((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"kind":"Status","code":403}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const cluster = `{name: c, cluster: {server: "http://127.0.0.1:${port}"}}`;
  const files = {
    'v.ign': '{"ignition": v}',
    kubeconfig: `current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\nclusters: [${cluster}]\nusers: [{name: u, user: {}}]\n`,
    'key.yaml':
      'interfaces:\n- name: eth1\n  type: ethernet\n  state: up\n  ipv4:\n    enabled: true\n    address: [{ ip: 192.0.2.1, prefix-lenght: 24 }]\n',
    'vlan.yaml':
      'interfaces:\n- { name: eth1, type: ethernet, state: up }\n- { name: eth1.5000, type: vlan, state: up, vlan: { base-iface: eth1, id: 5000 } }\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text, { mode: 0o600 });
  for (const [name, argv] of [
    ['nodes-config.yaml', ['nodes', 'template']],
    ['cluster.json', ['nodes', 'facts', '--sample']],
  ] as const)
    writeFileSync(join(cwd, name), (await coreiso(argv)).stdout);
  await coreiso(['sample-iso', 'live.iso'], { cwd });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Messages in column After → the commands that print them. */
const COMMANDS: Readonly<Record<string, string>> = {
  "expected a value, found 'v'": 'ignition show v.ign',
  'no problems found (3 checks skipped: …)': 'nodes advise --cluster cluster.json',
  'The image stops installing after …': 'nodes image --base live.iso --cluster cluster.json',
  'could not read cluster facts from …': 'nodes facts --kubeconfig kubeconfig',
  'unknown key `prefix-lenght` in an address': 'nmstate check key.yaml',
  'VLAN ID 5000 is out of range (1–4094)': 'nmstate check vlan.yaml',
  'Accepted for compatibility; ignored': 'agent validate --help-all',
  'Manage base images': '--help',
  'Render hub manifests for a site': '--help',
  'Export cluster facts as JSON': 'nodes --help',
  'Kubeconfig context (default: current)': 'nodes facts --help',
};

/** Needs a cluster with requests: cluster.test.ts runs it. */
const ELSEWHERE = 'not a terminal: pass --yes to approve requests that pass';

test('every row has a command that prints it', () => {
  expect(rows.map(({ after }) => after).sort()).toEqual([...Object.keys(COMMANDS), ELSEWHERE].sort());
});

test.each(Object.entries(COMMANDS))('"%s" is what coreiso %s prints', async (after, line) => {
  const { stdout, stderr } = await coreiso(line.split(' '), { cwd });
  const said = `${stdout}${stderr}`;
  for (const part of after.split('…').filter((text) => text.length > 1)) expect(said).toContain(part.trim());
  const before = rows.find((row) => row.after === after)?.before ?? '';
  expect(said).not.toContain(before);
});
