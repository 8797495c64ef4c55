import { readFileSync } from 'node:fs';
import { type Config, parseConfigOrThrow } from '@coreiso/ignition';
import { bytesOf, bytesSource, type LiveImage, openLiveImage, plain } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import {
  type AgentImageOptions,
  type AgentSite,
  buildAgentImage,
  type Credentials,
  makeCredentials,
  planAgentConfig,
  readSite,
} from '@coreiso/openshift';
import { beforeAll, describe, expect, test } from 'vitest';
import { listServiceConfig } from '../../src/join/service/listing.ts';

const RELEASE = { version: '4.20.3', releaseImage: `quay.example.test/ocp/release@sha256:${'5'.repeat(64)}` };
const ARTIFACTS = 'http://boot.example.test/reef';

let credentials: Credentials;
beforeAll(async () => {
  const signerKey = { algorithm: 'ECDSA', curve: 'P-256' } as const;
  credentials = await makeCredentials({ clock: () => new Date(), workflow: 'install', signerKey });
});

interface Additions {
  readonly agentConfig?: string;
  readonly extraManifests?: Readonly<Record<string, string>>;
}

const read = (site: string, file: string): string =>
  readFileSync(new URL(`../../../nodes-config/test/sites/${site}/${file}`, import.meta.url), 'utf8');

/** One of the three complete sites, with additional lines in the agent config. */
function siteOf(name: string, { agentConfig = '', extraManifests }: Additions = {}): AgentSite {
  const outcome = readSite({
    installConfig: read(name, 'install-config.yaml'),
    agentConfig: read(name, 'agent-config.yaml') + agentConfig,
    extraManifests,
    ...RELEASE,
  });
  if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
  return outcome.value;
}

interface Built {
  readonly names: readonly string[];
  readonly notes: readonly string[];
  readonly size: number;
  readonly live: LiveImage;
  readonly config: Config;
}

async function build(site: AgentSite, options: AgentImageOptions = {}): Promise<Built> {
  const { outputs, notes } = await buildAgentImage(await sampleIso(), site, credentials, options);
  const names = outputs.map(({ name }) => name);
  const bytes = await bytesOf(outputs[names.indexOf('agent.x86_64.iso')]!.source);
  const live = await openLiveImage(bytesSource(bytes));
  const member = (await live.initrd.read()).get('config.ign')!;
  const config = parseConfigOrThrow(await bytesOf(member.content));
  return { names, notes, size: bytes.length, live, config };
}

/** The address of the base is known only with the base. */
function withoutBase(listing: unknown): unknown {
  return JSON.parse(JSON.stringify(listing).replace(/"url":"file:[^"]*","version":"[^"]*"/g, '"url":""'));
}

test.each(['single-node', 'compact', 'arbiter'])('holds the planned contents in the image of %s', async (name) => {
  const site = siteOf(name);
  const { config, names, notes } = await build(site);
  expect([names, notes]).toEqual([['agent.x86_64.iso'], []]);
  expect(withoutBase(listServiceConfig(config, 'install'))).toEqual(withoutBase(planAgentConfig(site)));
});

describe('a minimal image', () => {
  const asked = `minimalISO: true\nbootArtifactsBaseURL: ${ARTIFACTS}\n`;

  test('is made if the agent config requests it, and contains the address of its root file system', async () => {
    const site = siteOf('single-node', { agentConfig: asked });
    const { names, live, config } = await build(site);
    expect([...names].sort()).toEqual(['agent.x86_64-rootfs.img', 'agent.x86_64.iso']);
    expect(live.kargs?.current).toContain(` coreos.live.rootfs_url=${ARTIFACTS}/agent.x86_64-rootfs.img`);
    expect(withoutBase(listServiceConfig(config, 'install'))).toEqual(withoutBase(planAgentConfig(site)));
  });

  test('is made if the caller requests it, with another address', async () => {
    const rootfsUrl = 'https://mirror.example.test/rootfs.img';
    const { live } = await build(siteOf('single-node'), { form: 'minimal-iso', rootfsUrl });
    expect(live.kargs?.current).toContain(` coreos.live.rootfs_url=${rootfsUrl}`);
  });

  test('is refused without the address of its root file system', async () => {
    const building = build(siteOf('single-node'), { form: 'minimal-iso' });
    await expect(building).rejects.toMatchObject({
      code: 'OPENSHIFT_NO_ROOTFS_URL',
      message: expect.stringContaining('no RootFSURL found for x86_64'),
    });
  });
});

test.each([
  ['external', '', ''],
  ['external', 'fips: true\n', ' fips=1'],
  ['oci', '    cloudControllerManager: External\nfips: true\n', ' console=ttyS0 fips=1'],
])('adds the kernel arguments of platform %s with %j to those of the base: %j', async (platformName, more, added) => {
  const config = read('single-node', 'install-config.yaml')
    .replace(/^sshKey: .*/m, '')
    .replace(/^platform:\n(?: .*\n)+/m, `platform:\n  external:\n    platformName: ${platformName}\n${more}`);
  const outcome = readSite({
    installConfig: config,
    agentConfig: read('single-node', 'agent-config.yaml'),
    ...RELEASE,
    mode: 'compatible',
    environment: { OPENSHIFT_INSTALL_SKIP_HOSTCRYPT_VALIDATION: '1' },
  });
  if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
  const { live } = await build(outcome.value, { form: 'iso' });
  expect(live.kargs?.current).toBe(`${(await openLiveImage(await sampleIso())).kargs?.current}${added}`);
});

test('grows an image whose area is too small, reports it, and holds everything', async () => {
  const long = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: long}\ndata: {long: ${'x'.repeat(300_000)}}\n`;
  const site = siteOf('compact', { extraManifests: { 'openshift/long.yaml': long } });
  await expect(build(site, { compression: plain, grow: false })).rejects.toMatchObject({ code: 'ISO_AREA_TOO_SMALL' });
  const { config, notes, size } = await build(site, { compression: plain });
  expect(notes).toEqual([expect.stringContaining('agent.x86_64.iso: ')]);
  expect(size).toBeGreaterThan((await build(siteOf('compact'))).size);
  expect(withoutBase(listServiceConfig(config, 'install'))).toEqual(withoutBase(planAgentConfig(site)));
});
