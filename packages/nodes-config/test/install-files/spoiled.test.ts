import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { plainOf, type Share, thrownAt } from '../../../../test/support/spoiled.ts';
import { type AgentState, readAgentState, rememberedSources } from '../../../openshift/src/install/agent-state.ts';
import { makeManifests, readDirectory } from '../../src/directory/directory.ts';
import { parseInstallConfig } from '../../src/install-config/install-config.ts';
import { parseInstallFiles } from '../../src/install-files/install-files.ts';
import { planCluster } from '../../src/installation/cluster-plan.ts';
import { imageFacts, imageFiles } from '../../src/installation/image-files.ts';
import { renderManifests } from '../../src/manifests/render.ts';
import { renderZtpSite } from '../../src/ztp/render.ts';
import { parseZtpSite } from '../../src/ztp/site.ts';
import { siteText } from '../ztp/example.ts';

const goldensOf = (set: string): Goldens => new Goldens(new URL(`../goldens/${set}.json`, import.meta.url));

const release = {
  version: '4.20.3',
  image: 'releases.example.test/ocp/release@sha256:5555555555555555555555555555555555555555555555555555555555555555',
};

type Files = Readonly<Record<string, string>>;

/**
 * Every recorded folder with one of its files to spoil. Folders that the installer accepts come first, because more
 * of them is checked.
 */
function* folders(set: string, pattern: RegExp): Generator<[unknown, { files: Files; name: string }]> {
  const goldens = goldensOf(set);
  const recorded = goldens.paths(/\.json$/).map((path) => goldens.json<{ inputs: Files; errors: unknown[] }>(path));
  for (const { inputs } of recorded.toSorted((a, b) => a.errors.length - b.errors.length)) {
    for (const [name, text] of Object.entries(inputs)) {
      const plain = pattern.test(name) ? plainOf(text) : undefined;
      if (plain !== undefined) yield [plain, { files: inputs, name }];
    }
  }
}

const MODES = ['strict', 'compatible'] as const;

function useDirectory(files: Files, mode: (typeof MODES)[number]): unknown {
  const outcome = readDirectory(files, { version: release.version, release, mode });
  if (!outcome.ok) return outcome;
  planCluster(outcome.value);
  imageFacts(outcome.value, release);
  imageFiles(outcome.value);
  return outcome;
}

describe.each(MODES)('%s mode never throws for any value at any place of', (mode) => {
  /** Both modes, and both uses of a site, share the cases: their work up to that point is mostly the same. */
  const half = { index: MODES.indexOf(mode), of: MODES.length };
  const quarter = (use: number): Share => ({ index: 2 * half.index + use, of: 2 * half.of });

  test('an install config', () => {
    const goldens = goldensOf('agent-install-config');
    const texts = goldens.paths(/\.yaml$/).map((path) => goldens.text(path));
    const documents = texts
      .toSorted((a, b) => Number(parseInstallConfig(b).ok) - Number(parseInstallConfig(a).ok))
      .map((text) => [plainOf(text), text] as const);
    const thrown = thrownAt(
      documents,
      (text) => {
        const site = parseInstallFiles({ installConfig: text }, { mode });
        if (site.ok) {
          planCluster(site.value);
          renderManifests(site.value, release);
        }
        return parseInstallConfig(text, { mode });
      },
      half,
    );
    expect(thrown).toEqual([]);
  });

  describe.each(['install-config.yaml', 'agent-config.yaml'])('%s of a site', (name) => {
    const pattern = new RegExp(`^${name}$`);

    test('when manifests are made', () => {
      const thrown = thrownAt(
        folders('agent-manifests', pattern),
        (text, { files }) => makeManifests({ ...files, [name]: text }, { version: release.version, release, mode }),
        quarter(0),
      );
      expect(thrown).toEqual([]);
    });

    test('when an image is made', () => {
      const thrown = thrownAt(
        folders('agent-manifests', pattern),
        (text, { files }) => useDirectory({ ...files, [name]: text }, mode),
        quarter(1),
      );
      expect(thrown).toEqual([]);
    });
  });

  test.each([
    'agent-cluster-install',
    'cluster-deployment',
    'cluster-image-set',
    'infraenv',
    'nmstateconfig',
    'pull-secret',
  ])('%s among manifests', (name) => {
    const thrown = thrownAt(
      folders('ztp-manifests', new RegExp(`^cluster-manifests/${name}\\.yaml$`)),
      (text, { files, name: path }) => useDirectory({ ...files, [path]: text }, mode),
      half,
    );
    expect(thrown).toEqual([]);
  });

  test('extra manifests', () => {
    const thrown = thrownAt(
      folders('agent-manifests', /^openshift\//),
      (text, { files, name }) => useDirectory({ ...files, [name]: text }, mode),
      half,
    );
    expect(thrown).toEqual([]);
  });
});

test('no value at any place of a site for a hub throws', () => {
  const thrown = thrownAt([[plainOf(siteText()), undefined]], (text) => {
    const site = parseZtpSite(text);
    if (site.ok) renderZtpSite(site.value);
    return site;
  });
  expect(thrown).toEqual([]);
});

test('no value at any place of a state file throws', async () => {
  const state = {
    version: 1,
    inputs: { 'install-config.yaml': 'a' },
    outputs: { 'mirror/registries.conf': 'b' },
    hosts: [{ name: 'a', role: 'master', macs: ['52:54:00:aa:00:01'] }],
    rendezvousIP: '192.0.2.1',
    consumed: { 'install-config.yaml': 'a: 1' },
    watcherToken: 'x',
  };
  const read: AgentState[] = [];
  const thrown = thrownAt([[state, undefined]], (text) => {
    const outcome = readAgentState(text);
    if (outcome.ok) read.push(outcome.value);
    return outcome;
  });
  expect(thrown).toEqual([]);
  for (const one of read) await rememberedSources({}, one);
});

test('a network without an address is reported at its place', () => {
  const text = readFileSync(new URL('../sites/compact/install-config.yaml', import.meta.url), 'utf8');
  const broken = text.replace(/(serviceNetwork:\n\s*-) .*/, '$1');
  expect(broken).not.toBe(text);
  const { diagnostics } = parseInstallConfig(broken);
  const line = broken.split('\n').findIndex((one) => one.includes('serviceNetwork')) + 2;
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
    {
      code: 'nodes-config/null-entry',
      message: 'an entry without anything in it is not a network',
      path: ['networking', 'serviceNetwork', 0],
      range: { start: { line } },
    },
  ]);
});
