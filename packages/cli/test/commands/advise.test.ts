import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { BARE_METAL, host, REMOTE, SINGLE_NODE } from '../../../nodes-config/test/advice/stories.ts';
import { coreiso, scratchFolder } from '../support.ts';

let cwd: string;

beforeEach(() => {
  cwd = scratchFolder();
  writeFileSync(join(cwd, 'nodes-config.yaml'), `hosts:\n${host('worker-0', 0)}${host('far-0', 1, REMOTE)}`);
  writeFileSync(join(cwd, 'single.json'), JSON.stringify({ ...SINGLE_NODE, controlPlaneDnsmasq: true }));
  writeFileSync(join(cwd, 'metal.json'), JSON.stringify(BARE_METAL));
});

/** Facts that are insufficient for three checks. */
const FEW = {
  platform: 'None',
  controlPlaneTopology: 'HighlyAvailable',
  nodes: [{ name: 'control-0', master: true, architecture: 'amd64' }],
  machineNetworks: ['192.0.2.0/24'],
};

const run = (line: string) => coreiso(line.split(' '), { cwd });

describe('nodes advise', () => {
  test('names the line of the host, explains the problem and says what to do', async () => {
    const { status, stdout, stderr } = await run('nodes advise --cluster single.json');
    expect(status).toBe(0);
    const text = stdout.toString();
    expect(text).toContain('nodes-config.yaml:2:3: warning: the cluster has one router');
    expect(text).toContain('  file: ingresscontroller-default.yaml: ');
    expect(text).toContain('  dns: api-int.reef.example.test → 192.0.2.10: ');
    expect(stderr).toContain('--manifests DIR writes ingresscontroller-default.yaml; nothing is ever applied');
  });

  test('writes the recommended manifests, and replaces files only with --force', async () => {
    const first = await run('nodes advise --cluster metal.json --manifests out');
    expect(first.status).toBe(0);
    expect(first.stdout.toString()).toContain('  run: oc label node far-0 node-role.kubernetes.io/remote-worker=\n');
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual([
      'ignition-override-far-0.ign',
      'ingresscontroller-default.yaml',
      'machineconfig-50-remote-worker-no-keepalived.yaml',
      'machineconfigpool-remote-worker.yaml',
    ]);
    expect(readFileSync(join(cwd, 'out/ingresscontroller-default.yaml'), 'utf8')).toMatch(/^# Keeps .*\.\napiVersion/);
    const again = await run('nodes advise --cluster metal.json --manifests out');
    expect(again.status).toBe(1);
    expect(again.stderr).toContain('pass --force to replace them');
    expect((await run('nodes advise --cluster metal.json --manifests out --force')).status).toBe(0);
  });

  test('prints nothing if nothing is wrong', async () => {
    writeFileSync(join(cwd, 'nodes-config.yaml'), `hosts:\n${host('worker-0', 0)}`);
    const { status, stdout } = await run('nodes advise --cluster metal.json');
    expect([status, stdout.toString()]).toEqual([
      0,
      'nodes-config.yaml: no problems found (2 checks skipped: packet sizes, links of other nodes)\n',
    ]);
  });

  test('lists the checks that lack facts', async () => {
    writeFileSync(join(cwd, 'nodes-config.yaml'), `hosts:\n${host('worker-0', 0)}`);
    writeFileSync(join(cwd, 'few.json'), JSON.stringify(FEW));
    const { stdout } = await run('nodes advise --cluster few.json');
    expect(stdout.toString()).toBe(
      'nodes-config.yaml: no problems found (3 checks skipped: names of the cluster, packet sizes, links of other nodes)\n',
    );
    const found = await run('nodes advise --cluster single.json');
    expect(found.stderr).toMatch(/^\d checks? skipped: /m);
    const json = JSON.parse((await run('nodes advise --cluster few.json --json')).stdout.toString());
    expect(json.skipped[1]).toEqual({ check: 'packet sizes', facts: ['clusterNetworkMtu'] });
  });

  test('also runs for nodes image, which makes the image anyway', async () => {
    await run('sample-iso base.iso');
    const image = await run('nodes image --cluster single.json --join network-only --base base.iso -o nodes.iso');
    expect(image).toMatchObject({ status: 0 });
    expect(image.stderr).toContain('nodes-config.yaml:2:3: warning: the cluster has one router');
    expect(image.stderr).toContain('run nodes advise for solutions');
    expect(readdirSync(cwd)).toContain('nodes.iso');
  });

  test('reads objects that will be applied, and trusts the given DNS answers', async () => {
    writeFileSync(join(cwd, 'node.yaml'), 'kind: Node\nmetadata: {name: far-0, labels: {site: far}}\n');
    const refused = await run('nodes advise --cluster metal.json --day install --given node.yaml --json');
    expect(refused.status).toBe(1);
    const codes = (output: Buffer): string[] =>
      JSON.parse(output.toString()).advice.map(({ code }: { code: string }) => code);
    expect(codes(refused.stdout)).toContain('nodes-config/node-manifest');
    expect(codes(refused.stdout)).toContain('nodes-config/validations-left-on');
    mkdirSync(join(cwd, 'extra'));
    renameSync(join(cwd, 'node.yaml'), join(cwd, 'extra/node.yaml'));
    writeFileSync(join(cwd, 'extra/notes.txt'), 'not: [yaml');
    const folder = await run('nodes advise --cluster metal.json --day install --given extra --json');
    expect(codes(folder.stdout)).toEqual(codes(refused.stdout));
    const doubted = await run('nodes advise --cluster single.json --json');
    expect(codes(doubted.stdout)).toContain('nodes-config/private-names');
    const told = await run(
      'nodes advise --cluster single.json --resolves api-int.reef.example.test=192.0.2.10 --remote worker-0 --json',
    );
    expect(codes(told.stdout)).not.toContain('nodes-config/private-names');
  });

  test('asks for the cluster facts, and says how to pass them', async () => {
    const { status, stderr } = await run('nodes advise');
    expect(status).toBe(1);
    expect(stderr).toContain('help: pass --cluster FACTS, or --live to read them');
    expect((await run('nodes advise --cluster metal.json --resolves nonsense')).stderr).toContain('NAME=ADDRESS');
    expect((await run('nodes advise --cluster metal.json --day never')).stderr).toContain('install, add');
  });

  test('shows the errors of a wrong config instead', async () => {
    writeFileSync(join(cwd, 'nodes-config.yaml'), 'hosts: []\n');
    const { status, stderr } = await run('nodes advise --cluster metal.json');
    expect(status).toBe(1);
    expect(stderr).toContain('at least one host must be defined');
  });
});

describe('nodes ignition', () => {
  test('writes the config of a worker, readable only by its owner', async () => {
    const { status } = await run('nodes ignition --cluster single.json -o worker.ign');
    expect(status).toBe(0);
    expect(statSync(join(cwd, 'worker.ign')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(cwd, 'worker.ign'), 'utf8'))).toEqual(SINGLE_NODE.workerUserData);
    expect((await run('nodes ignition --cluster single.json -o worker.ign')).stderr).toContain('worker.ign');
  });

  test('includes the name and network of a host, and lists the hosts if a name is unknown', async () => {
    const { stdout } = await run('nodes ignition --cluster single.json --host far-0');
    expect(JSON.parse(stdout.toString()).storage.files).toHaveLength(2);
    const { status, stderr } = await run('nodes ignition --cluster single.json --host nobody');
    expect([status, stderr]).toEqual([1, expect.stringContaining('expected one of worker-0, far-0')]);
  });

  test('names the missing facts and how to get them', async () => {
    writeFileSync(join(cwd, 'bare.json'), '{"apiServerUrl":"https://api.reef.example.test:6443"}');
    const { status, stderr } = await run('nodes ignition --cluster bare.json');
    expect([status, stderr]).toEqual([1, expect.stringContaining('configmap/root-ca')]);
    expect((await run('nodes ignition')).stderr).toContain('--cluster FACTS');
  });
});
