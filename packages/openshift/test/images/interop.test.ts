// Images and bound keyfiles, checked by the programs that read them.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plain } from '@coreiso/iso';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeAll, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { DEBIAN_PYTHON, describeWith, describeWithBindings, output, run } from '../../../../test/support/tools.ts';
import { parseNodesConfigOrThrow } from '../../../nodes-config/src/documents/nodes-config.ts';
import { buildNodesImage } from '../../src/images/build.ts';
import { hostChanges } from '../../src/images/changes.ts';
import { HostConfigs } from '../../src/images/host-configs.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import type { NodesPlan } from '../../src/join/strategy.ts';
import { CLUSTER } from '../scenarios/clusters.ts';

const SITES = new URL('../scenarios/sites/', import.meta.url);
const LIBNM = fileURLToPath(new URL('../../../nmstate/test/libnm/check.py', import.meta.url));
const siteNames = readdirSync(SITES);

function planOf(site: string): NodesPlan {
  const text = readFileSync(new URL(site, SITES), 'utf8');
  return planNodes(parseNodesConfigOrThrow(text, { cluster: CLUSTER }), { cluster: CLUSTER, join: 'direct' });
}

const directory = scratchFolder();

async function write(site: string, options: Parameters<typeof buildNodesImage>[2]): Promise<string[]> {
  const { outputs } = await buildNodesImage(await sampleIso(), planOf(site), options);
  for (const { name, source } of outputs) await writeCopy(source, join(directory, name), { replace: true });
  return outputs.map(({ name }) => join(directory, name));
}

describeWithBindings('NM', '1.0', 'keyfiles bound by MAC address, by libnm', () => {
  test.each(siteNames)('%s: loses nothing and logs no complaint', (site) => {
    const plan = planOf(site);
    const keyfiles = plan.hosts.flatMap((host) => hostChanges(new HostConfigs(plan), host).keyfiles);
    const verdicts: { error?: string; warnings: string[]; ignored: string[]; changed: string[] }[] = JSON.parse(
      output(DEBIAN_PYTHON, [LIBNM], { input: Buffer.from(JSON.stringify(keyfiles)) }).toString(),
    );
    for (const { error, warnings, ignored, changed } of verdicts) {
      expect({ error, warnings, ignored, changed }).toEqual({
        error: undefined,
        warnings: [],
        ignored: [],
        changed: [],
      });
    }
    expect(verdicts).toHaveLength(keyfiles.length);
  });
});

describeWith(['coreos-installer', 'ignition-validate'], 'images, by the real tools', () => {
  test('finds the config, and Ignition accepts it', async () => {
    const [image = ''] = await write('bond-vlan-static.yaml', {});
    const config = output('coreos-installer', ['iso', 'ignition', 'show', image]);
    const file = join(directory, 'config.ign');
    writeFileSync(file, config);
    expect(run('ignition-validate', [file])).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(config.toString()).ignition.version).toMatch(/^3\.[0-4]\.0$/);
  });

  test('finds the keyfiles of a host with its own image', async () => {
    const [image = ''] = await write('bond-vlan-static.yaml', { perHost: true });
    const folder = mkdtempSync(join(directory, 'network-'));
    output('coreos-installer', ['iso', 'network', 'extract', '-C', folder, image]);
    expect(readdirSync(folder).sort()).toEqual([
      'bond0.300.nmconnection',
      'bond0.nmconnection',
      'eno1.nmconnection',
      'eno2.nmconnection',
    ]);
  });

  test('unpacks the files appended for network boot', async () => {
    const files = await write('ipv6-only.yaml', { form: 'pxe', perHost: true });
    const initrd = files.find((file) => file.endsWith('-initrd.img')) ?? '';
    const config = output('coreos-installer', ['pxe', 'ignition', 'unwrap', initrd]);
    expect(JSON.parse(config.toString()).storage.files.length).toBeGreaterThan(3);
    const folder = mkdtempSync(join(directory, 'network-'));
    output('coreos-installer', ['pxe', 'network', 'unwrap', '-C', folder, initrd]);
    expect(readdirSync(folder)).toEqual(['enp1s0.nmconnection']);
  });
});

describeWith(['xorriso'], 'a grown image, by xorriso', () => {
  let image: string;
  beforeAll(async () => {
    const hosts = Array.from({ length: 800 }, (_, index) => {
      const mac = (0x525400000000 + index).toString(16).match(/../g)!.join(':');
      return `- { hostname: w${index}, interfaces: [{ name: eth0, macAddress: "${mac}" }] }\n`;
    });
    const plan = planNodes(parseNodesConfigOrThrow(`hosts:\n${hosts.join('')}`));
    const { outputs } = await buildNodesImage(await sampleIso(), plan, { grow: true, compression: plain });
    image = join(directory, 'grown.iso');
    await writeCopy(outputs[0]!.source, image, { replace: true });
  });

  test('still has all its files', () => {
    const listed = output('xorriso', ['-indev', image, '-find', '/', '-type', 'f']).toString();
    expect(listed).toContain("'/images/ignition.img'");
    expect(listed).toContain("'/images/pxeboot/rootfs.img'");
  });

  test('holds the whole archive in its area', () => {
    const file = join(directory, 'ignition.img');
    output('xorriso', ['-osirrox', 'on', '-indev', image, '-extract', '/images/ignition.img', file]);
    expect(readFileSync(file).includes('/etc/assisted/hostconfig/w799/mac_addresses')).toBe(true);
  });
});
