// The views of images and configs, on sample images.
import { buildConfig, file, resource, stringifyConfig } from '@coreiso/ignition';
import { edit, inspect, isOverlay, openLiveImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { parseInstallFiles, planCluster, samples } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import type { Block, TreeNode } from '../../src/views/blocks.ts';
import { clusterView } from '../../src/views/cluster.ts';
import { ignitionView } from '../../src/views/ignition-tree.ts';
import { type EditedImage, imageView } from '../../src/views/image-map.ts';
import { initramfsView } from '../../src/views/initramfs.ts';

const hidden = { secrets: 'hidden' } as const;
const image = await openLiveImage(await sampleIso());
const base = await inspect(image.source);

async function edited(changes: Parameters<typeof edit>[1]): Promise<EditedImage> {
  const { overlay } = await edit(image, changes, { grow: true });
  const patches = isOverlay(overlay) ? overlay.patches : [];
  const lengthOf = (bytes: (typeof patches)[number]['bytes']): number => ('size' in bytes ? bytes.size : bytes.length);
  return {
    inspection: await inspect(overlay),
    patches: patches.map(({ offset, bytes }) => ({ offset, length: lengthOf(bytes) })),
  };
}

const ofKind = <K extends Block['kind']>(blocks: readonly Block[], kind: K): Extract<Block, { kind: K }>[] =>
  blocks.filter((block): block is Extract<Block, { kind: K }> => block.kind === kind);

const table = (blocks: readonly Block[], caption: string): readonly (readonly string[])[] =>
  ofKind(blocks, 'table')
    .find((one) => one.caption === caption)
    ?.rows.map(({ cells }) => cells) ?? [];

describe('the map of an image', () => {
  test('has every area, with used and free space', () => {
    const { blocks } = imageView(base, undefined);
    const rows = table(blocks, 'Areas for your changes');
    expect(rows).toHaveLength(1 + (base.kargs?.areas.length ?? 0));
    expect(rows[0]).toEqual(['Initrd area', `${base.initrd?.offset}`, '256 KiB', '0 bytes', '0 bytes', '256 KiB']);
    expect(table(blocks, 'Bytes that will change')).toEqual([]);
    expect(ofKind(blocks, 'picture')[0]?.svg).not.toMatch(/style/);
  });

  test('shows only the bytes that an edit will change', async () => {
    const after = await edited({ ignition: '{"ignition":{"version":"3.4.0"}}', kargs: { append: ['console=ttyS0'] } });
    const { blocks } = imageView(base, after);
    const parts = table(blocks, 'Bytes that will change');
    expect(parts.map(([name]) => name)).toEqual(
      parts.map((_, index) =>
        after.patches[index]?.offset === base.initrd?.offset ? 'Initrd area' : 'Kernel arguments',
      ),
    );
    expect(new Set(parts.map(([name]) => name))).toEqual(new Set(['Initrd area', 'Kernel arguments']));
    expect(JSON.stringify(ofKind(blocks, 'facts'))).toContain('console=ttyS0');
    expect(ofKind(blocks, 'picture')[0]?.svg).toContain('class="change"');
  });

  test('shows how much an image grows that has no room for a config', async () => {
    const random = crypto.getRandomValues(new Uint8Array(60_000));
    const large = Array.from({ length: 8 }, (_, n) => ({
      path: `f${n}`,
      content: random.map((byte) => byte ^ (n * 31)),
    }));
    const after = await edited({ files: large });
    const { blocks } = imageView(base, after);
    expect(after.inspection.size).toBeGreaterThan(base.size);
    expect(ofKind(blocks, 'sentence').find(({ tone }) => tone === 'warning')?.text).toContain('grows by');
    expect(table(blocks, 'Bytes that will change').at(-1)?.[0]).toBe('New end');
    expect(table(blocks, 'Bytes that will change').map(([name]) => name)).toContain(
      'Directories, sizes, partition tables',
    );
  });

  test('of a partial download reports the missing end', async () => {
    const bytes = await image.source.read(0, base.volumeSize - 4096);
    const { blocks } = imageView(await inspect(bytes), undefined);
    expect(ofKind(blocks, 'sentence').find(({ tone }) => tone === 'error')?.text).toContain('the end is missing');
  });

  test('without an image explains what to do', () => {
    expect(imageView(undefined, undefined).blocks).toMatchObject([{ kind: 'sentence', tone: 'hint' }]);
  });

  test('draws every bar inside the picture, whatever the name of the image', async () => {
    const strange = { ...base, volumeId: '<b>"&\u0000' };
    const [picture] = ofKind(imageView(strange, undefined).blocks, 'picture');
    expect(picture?.svg).toContain('&lt;b&gt;&quot;&amp;\ufffd');
    for (const [, x, width] of (picture?.svg ?? '').matchAll(/<rect [^>]*x="([\d.]+)"[^>]*width="([\d.]+)"/g))
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(352.01);
  });
});

describe('the files in the initramfs', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const one = (path: string, text: string, mode = 0o600) => ({ path, mode, content: bytes(text) });

  test('are compared with those of the base', () => {
    const { blocks } = initramfsView(
      [one('a', '1'), one('b', '2'), one('c', '3'), one('e', '5')],
      [one('a', '1'), one('b', '9'), one('d', '4'), one('e', '5', 0o755)],
      hidden,
    );
    expect(table(blocks, 'Files put into the initramfs').map(([path, , , note]) => [path, note])).toEqual([
      ['a', 'as before'],
      ['b', 'changed'],
      ['d', 'new'],
      ['e', 'changed'],
      ['c', 'removed'],
    ]);
  });

  test('hide secrets and binary data', () => {
    const files = [
      one('k.nmconnection', '[wifi-security]\npsk=hunter2\n'),
      { path: 'bin', mode: 0o600, content: new Uint8Array([0xff, 0xfe]) },
    ];
    const view = initramfsView([], files, hidden);
    expect(JSON.stringify(view)).not.toContain('hunter2');
    expect(view.hidesSecrets).toBe(true);
    expect(ofKind(view.blocks, 'file')[1]?.text).toBe('2 bytes of binary data');
    expect(initramfsView([], files.slice(1), hidden).hidesSecrets).toBe(false);
  });

  test('do not exist in an image without added files', () => {
    expect(initramfsView([], [], hidden).blocks).toMatchObject([{ kind: 'sentence' }]);
  });
});

describe('an Ignition config as a tree', () => {
  const nested = buildConfig({ files: [file('/etc/inner', 'inside')] });
  const config = buildConfig({
    files: [
      file('/etc/motd', 'hello\n'),
      file('/root/.docker/config.json', '{"auths":{"quay.io":{"auth":"aHVudGVyMg=="}}}'),
      file('/etc/large', 'a'.repeat(4000)),
      file('/bin/x', new Uint8Array([0xff, 0, 1])),
    ],
    merge: [resource(stringifyConfig(nested))],
    users: [{ name: 'core', passwordHash: '$6$salt$abcdefghijklmnop' }],
  });
  const find = (nodes: readonly TreeNode[], key: string): TreeNode | undefined => {
    for (const node of nodes) {
      if (node.key === key) return node;
      const found = find(node.children ?? [], key);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const treeOf = (secrets: 'hidden' | 'shown'): readonly TreeNode[] =>
    ofKind(ignitionView(config, { secrets }).blocks, 'tree')[0]?.nodes ?? [];

  test('shows files by their paths with their contents, also compressed ones', () => {
    const nodes = treeOf('hidden');
    expect(find(nodes, '/storage/files//etc/motd/contents/contents')?.value).toBe('hello\n');
    expect(find(nodes, '/storage/files//etc/large/contents/contents')?.value).toBe('a'.repeat(4000));
    expect(find(nodes, '/storage/files//bin/x/contents/contents')?.value).toBe('3 bytes of binary data');
  });

  test('opens configs inside it', () => {
    const inner = JSON.stringify(find(treeOf('hidden'), '/ignition/config/merge'));
    expect(inner).toContain('/etc/inner');
    expect(inner).toContain('"value":"inside"');
  });

  test('hides secrets until they are requested', () => {
    expect(JSON.stringify(treeOf('hidden'))).not.toMatch(/aHVudGVyMg|abcdefghijklmnop/);
    expect(ignitionView(config, hidden).hidesSecrets).toBe(true);
    expect(JSON.stringify(treeOf('shown'))).toContain('aHVudGVyMg');
    expect(JSON.stringify(treeOf('shown'))).toContain('abcdefghijklmnop');
    expect(ignitionView(nested, hidden).hidesSecrets).toBe(false);
  });

  test('has a key for every part, and no key twice', () => {
    const twice = { ...nested, storage: { files: [{ path: '/a' }, { path: '/a' }, null, 'x'] } } as never;
    for (const one of [config, twice]) {
      const keys: string[] = [];
      const visit = ({ key, children = [] }: TreeNode): void => {
        keys.push(key);
        children.forEach(visit);
      };
      (ofKind(ignitionView(one, hidden).blocks, 'tree')[0]?.nodes ?? []).forEach(visit);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  test('without a config explains what to do', () => {
    expect(ignitionView(undefined, hidden).blocks).toMatchObject([{ tone: 'hint' }]);
  });
});

describe('the plan of a new cluster', () => {
  const files = parseInstallFiles(
    { installConfig: samples.installConfig, agentConfig: samples.agentConfig },
    { version: '4.20.3' },
  );
  const plan = files.ok ? planCluster(files.value) : undefined;

  test('shows the rendezvous host, the addresses, and the actions of each machine', () => {
    const { blocks } = clusterView(plan);
    const facts = Object.fromEntries(ofKind(blocks, 'facts')[0]?.rows.map(({ key, value }) => [key, value]) ?? []);
    expect(facts['cluster/leader']).toContain(plan?.rendezvous.address);
    expect(facts['cluster/api']).toContain(`api.${plan?.domain}`);
    const hosts = table(blocks, 'Hosts');
    expect(hosts).toHaveLength(plan?.hosts.length ?? -1);
    expect(hosts.filter(([, , , part]) => part === 'leads the installation')).toHaveLength(1);
    expect(ofKind(blocks, 'section').length).toBe(plan?.hosts.length);
  });

  test('leaves out most boots of many hosts', () => {
    const [first] = plan?.hosts ?? [];
    const many = { ...plan!, hosts: Array.from({ length: 500 }, (_, n) => ({ ...first!, name: `w-${n}` })) };
    const { blocks } = clusterView(many);
    expect(table(blocks, 'Hosts')).toHaveLength(500);
    expect(ofKind(blocks, 'section').length).toBeLessThan(20);
  });

  test('without documents explains what to do', () => {
    expect(clusterView(undefined).blocks).toMatchObject([{ tone: 'hint' }]);
  });
});
