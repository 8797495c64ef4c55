import { createHash } from 'node:crypto';
import { bytesOf, bytesSource, edit, openLiveImage, plain, readFiles } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';
import { parseNodesConfigOrThrow } from '../../../nodes-config/src/documents/nodes-config.ts';
import type { ClusterFacts } from '../../../nodes-config/src/facts/facts.ts';
import { buildNodesImage, type NodesImage } from '../../src/images/build.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import type { NodesPlan } from '../../src/join/strategy.ts';
import { CLUSTER } from '../scenarios/clusters.ts';

const CONFIG = `bootArtifactsBaseURL: http://boot.example.test/day2/
hosts:
- hostname: worker-0
  interfaces: [{ name: eth0, macAddress: 52:54:00:ab:00:01 }]
  networkConfig:
    interfaces:
    - { name: eth0, type: ethernet, state: up, ipv4: { enabled: true, dhcp: false, address: [{ ip: 192.0.2.10, prefix-length: 24 }] } }
- hostname: worker-1
  interfaces: [{ name: eth0, macAddress: 52:54:00:ab:00:02 }]
`;

interface PlanFor {
  readonly text?: string;
  readonly cluster?: ClusterFacts;
  readonly join?: string;
}

function planFor({ text = CONFIG, cluster = CLUSTER, join }: PlanFor = {}): NodesPlan {
  const now = () => new Date('2026-01-01T00:00:00Z');
  return planNodes(parseNodesConfigOrThrow(text, { cluster }), { cluster, join, now });
}

async function build(
  options: Parameters<typeof buildNodesImage>[2] = {},
  plan = planFor(),
  kind = '2023-07.x86_64',
): Promise<NodesImage> {
  return buildNodesImage(await sampleIso({ kind }), plan, options);
}

const names = ({ outputs }: NodesImage): string[] => outputs.map(({ name }) => name);

async function text(image: NodesImage, name: string): Promise<string> {
  return new TextDecoder().decode(await bytes(image, name));
}

async function bytes({ outputs }: NodesImage, name: string): Promise<Uint8Array> {
  return bytesOf(outputs.find((output) => output.name === name)!.source);
}

async function digest(image: NodesImage): Promise<string> {
  return createHash('sha256')
    .update(await bytes(image, 'node.x86_64.iso'))
    .digest('hex');
}

/** Every member of the initrd area by path. */
async function members(image: NodesImage, name: string): Promise<Map<string, string>> {
  const live = await openLiveImage(bytesSource(await bytes(image, name)));
  const files = [...(await live.initrd.read()).values()];
  return new Map(files.map(({ path, content }) => [path, new TextDecoder().decode(content)]));
}

const paths = (ignition: string | undefined): string[] =>
  JSON.parse(ignition ?? '{}').storage.files.map(({ path }: { path: string }) => path);

describe('one image for all hosts', () => {
  test('has the config of the plan, and nothing else', async () => {
    const given = await edit(await openLiveImage(await sampleIso()), {
      keyfiles: [{ name: 'old.nmconnection', content: '' }],
      files: [{ path: 'etc/old', content: new Uint8Array(3) }],
    });
    const image = await buildNodesImage(given.overlay, planFor());
    expect(names(image)).toEqual(['node.x86_64.iso']);
    const found = await members(image, 'node.x86_64.iso');
    expect([...found.keys()]).toEqual(['config.ign']);
    expect(paths(found.get('config.ign'))).toContain('/etc/assisted/network/host0/eth0.nmconnection');
    expect(paths(found.get('config.ign'))).toContain('/usr/local/bin/coreiso-network');
  });

  test('leaves the base alone and is the same every time', async () => {
    const [one, two] = [await build(), await build()];
    expect(await digest(one)).toBe(await digest(two));
    expect(one.notes).toEqual([]);
  });

  test.each(['2020-09.x86_64', '2022-02.aarch64', '2023-07.ppc64le', '2023-07.s390x'])(
    'accepts %s as its base',
    async (kind) => {
      const architecture = kind.split('.')[1];
      const cluster = { ...CLUSTER, platform: 'None' };
      const plan = planFor({ text: `cpuArchitecture: ${architecture}\n${CONFIG}`, cluster });
      const image = await build({}, plan, kind);
      expect([...(await members(image, `node.${architecture}.iso`)).keys()]).toEqual(['config.ign']);
    },
  );

  test('grows if that is allowed, and reports it', async () => {
    const hosts = Array.from({ length: 1000 }, (_, index) => {
      const mac = (0x525400000000 + index).toString(16).match(/../g)!.join(':');
      return `- { hostname: w${index}, interfaces: [{ name: eth0, macAddress: "${mac}" }] }\n`;
    });
    const plan = planFor({ text: `hosts:\n${hosts.join('')}` });
    await expect(build({ compression: plain }, plan)).rejects.toMatchObject({ code: 'ISO_AREA_TOO_SMALL' });
    const image = await build({ compression: plain, grow: true }, plan);
    expect(image.notes).toEqual([expect.stringContaining('node.x86_64.iso: ')]);
    expect(paths((await members(image, 'node.x86_64.iso')).get('config.ign'))).toContain(
      '/etc/assisted/hostconfig/w999/mac_addresses',
    );
  });
});

describe('the base image', () => {
  test('may already be open, and progress counts images', async () => {
    const seen: unknown[] = [];
    const base = await openLiveImage(await sampleIso());
    const image = await buildNodesImage(base, planFor(), { perHost: true, onProgress: (one) => seen.push(one) });
    expect(names(image)).toEqual(['worker-0.x86_64.iso', 'worker-1.x86_64.iso']);
    expect(seen).toEqual([
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
    expect(await digest(await buildNodesImage(base, planFor()))).toBe(await digest(await build()));
  });

  test('is compared with its checksum even if it is already open', async () => {
    const base = await openLiveImage(await sampleIso());
    const wrong = await buildNodesImage(base, planFor(), { baseSha256: '0'.repeat(64) });
    await expect(bytesOf(wrong.outputs[0]!.source)).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BASE' });
  });

  test.each([
    ['base', () => buildNodesImage('rhcos.iso' as never, planFor())],
    ['plan', async () => buildNodesImage(await sampleIso(), undefined as never)],
    ['form', async () => buildNodesImage(await sampleIso(), planFor(), { form: 'raw' as 'iso' })],
  ])('%s is refused as a misuse', async (parameter, call) => {
    await expect(call()).rejects.toThrow(new RegExp(`^${parameter} must be `));
  });

  test('is refused for another architecture', async () => {
    await expect(build({}, planFor(), '2023-07.aarch64')).rejects.toMatchObject({
      code: 'OPENSHIFT_WRONG_ARCHITECTURE',
      message: 'the hosts are x86_64 machines and the base image is for aarch64',
    });
  });

  test('decides the architecture if neither config nor cluster gives it', async () => {
    const { nodes: _, ...cluster } = CLUSTER;
    expect(names(await build({}, planFor({ cluster }), '2023-07.aarch64'))).toEqual(['node.aarch64.iso']);
  });

  test('is compared with its checksum while it is read', async () => {
    const base = await sampleIso();
    const sha256 = createHash('sha256')
      .update(await bytesOf(base))
      .digest('hex');
    const right = await buildNodesImage(base, planFor(), { baseSha256: sha256 });
    expect((await members(right, 'node.x86_64.iso')).size).toBe(1);
    const wrong = await buildNodesImage(base, planFor(), { baseSha256: '0'.repeat(64), form: 'pxe' });
    for (const { source } of wrong.outputs) {
      await expect(bytesOf(source)).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BASE' });
    }
  });
});

describe('FIPS', () => {
  const plan = planFor({ cluster: { ...CLUSTER, fips: true } });

  test('becomes a kernel argument, once', async () => {
    const first = await build({}, plan);
    const live = await openLiveImage(bytesSource(await bytes(first, 'node.x86_64.iso')));
    expect(live.kargs?.current).toBe(`${live.kargs?.default} fips=1`);
    const again = await buildNodesImage(live.source, plan);
    expect(await digest(again)).toBe(await digest(first));
  });

  test('is in the iPXE script', async () => {
    expect(await text(await build({ form: 'pxe' }, plan), 'node.x86_64.ipxe')).toMatch(/ fips=1\nboot\n$/);
  });

  test('is refused where an image has no place for it', async () => {
    await expect(build({}, plan, '2020-09.x86_64')).rejects.toMatchObject({ code: 'ISO_NO_KARGS' });
  });
});

describe('network boot', () => {
  test('has an unchanged kernel and root file system, and the config after the initramfs', async () => {
    const image = await build({ form: 'pxe' });
    expect(names(image).sort()).toEqual([
      'node.x86_64-initrd.img',
      'node.x86_64-rootfs.img',
      'node.x86_64-vmlinuz',
      'node.x86_64.ipxe',
    ]);
    const live = await openLiveImage(await sampleIso());
    const kernel = await live.iso.entry('IMAGES/PXEBOOT/VMLINUZ');
    expect(await text(image, 'node.x86_64-vmlinuz')).toHaveLength(kernel.size);
    const files = await readFiles(bytesSource(await bytes(image, 'node.x86_64-initrd.img')), { patterns: ['*'] });
    expect([...files.keys()]).toEqual(expect.arrayContaining(['config.ign', 'etc/coreos-live-initramfs']));
  });

  test('lists the kernel arguments, for boot loaders that read no iPXE script', async () => {
    const url = 'http://boot.example.test/day2';
    const words = (place: string) =>
      `Kernel arguments: initrd=initrd coreos.live.rootfs_url=${place}/node.x86_64-rootfs.img`;
    const [shown] = (await build({ form: 'pxe' })).notes;
    expect(shown).toContain(words(url));
    const elsewhere = await build({ form: 'pxe', bootArtifactsBaseURL: '' });
    expect(names(elsewhere)).not.toContain('node.x86_64.ipxe');
    expect(elsewhere.notes).toEqual([
      expect.stringContaining(words('URL')),
      expect.stringContaining('URL is the address'),
    ]);
  });

  test('starts with the four lines that upstream writes', async () => {
    const script = await text(await build({ form: 'pxe' }), 'node.x86_64.ipxe');
    const { kargs } = await openLiveImage(await sampleIso());
    const rest = kargs?.default.replace(/ ?coreos\.liveiso=\S+/, '');
    const url = 'http://boot.example.test/day2';
    expect(script.split('\n')).toEqual([
      '#!ipxe',
      `initrd --name initrd ${url}/node.x86_64-initrd.img`,
      `kernel ${url}/node.x86_64-vmlinuz initrd=initrd coreos.live.rootfs_url=${url}/node.x86_64-rootfs.img ${rest}`,
      'boot',
      '',
    ]);
  });

  test('has no script if the address of the files is unknown', async () => {
    const plan = planFor({ text: CONFIG.replace(/^boot.*\n/, '') });
    expect(names(await build({ form: 'pxe' }, plan))).not.toContain('node.x86_64.ipxe');
    const given = await build({ form: 'pxe', bootArtifactsBaseURL: 'http://x.test' }, plan);
    expect(await text(given, 'node.x86_64.ipxe')).toContain('http://x.test/node.x86_64-initrd.img');
  });

  test.each(['http://x.test/a b', 'http://x.test/$mac', 'http://x.test/\nshell'])(
    'is refused if %j would be part of a script',
    async (bootArtifactsBaseURL) => {
      await expect(build({ form: 'pxe', bootArtifactsBaseURL })).rejects.toMatchObject({
        code: 'OPENSHIFT_NO_BOOT_URL',
      });
    },
  );

  test('has the list of files and the size of the initramfs on a mainframe', async () => {
    const cluster = { ...CLUSTER, platform: 'None' };
    const plan = planFor({ text: `cpuArchitecture: s390x\n${CONFIG}`, cluster });
    const image = await build({ form: 'pxe' }, plan, '2023-07.s390x');
    expect(names(image)).toEqual(expect.arrayContaining(['node.s390x-kernel.img', 'node.s390x-rootfs.img']));
    const place = new DataView((await bytes(image, 'node.s390x-initrd.addrsize')).slice().buffer);
    expect([place.getBigUint64(0), place.getBigUint64(8)]).toEqual([
      0x02000000n,
      BigInt((await bytes(image, 'node.s390x-initrd.img')).length),
    ]);
    expect(await text(image, 'node.s390x-generic.ins')).toMatch(
      /\nnode\.s390x-kernel\.img 0x0+\nnode\.s390x-initrd\.img 0x02000000\n.*\nnode\.s390x-initrd\.addrsize 0x00010408\n$/,
    );
  });
});

describe('a host that fetches its root file system', () => {
  const early = [
    expect.objectContaining({
      severity: 'warning',
      code: 'openshift/static-before-rootfs',
      path: ['hosts', 0, 'networkConfig'],
      help: expect.stringContaining('one image per host'),
    }),
  ];

  test.each([
    ['over the network', { form: 'pxe' }, early],
    ['from a minimal image', { form: 'minimal-iso' }, early],
    ['from an image of its own', { form: 'pxe', perHost: true }, []],
    ['from a full image', { form: 'iso' }, []],
  ] as const)('gets a warning if its address is set too late: %s', async (_, options, expected) => {
    expect((await build(options)).diagnostics).toEqual(expected);
  });

  test('is also detected with a minimal image as base', async () => {
    const minimal = await build({ form: 'minimal-iso' });
    const again = await buildNodesImage(bytesSource(await bytes(minimal, 'node.x86_64.iso')), planFor());
    expect(again.diagnostics).toEqual(early);
  });
});

describe('a minimal image', () => {
  test('contains the address of its root file system', async () => {
    const image = await build({ form: 'minimal-iso' });
    expect(names(image)).toEqual(['node.x86_64-rootfs.img', 'node.x86_64.iso']);
    const live = await openLiveImage(bytesSource(await bytes(image, 'node.x86_64.iso')));
    expect(live.kargs?.current).toMatch(
      / coreos\.live\.rootfs_url=http:\/\/boot\.example\.test\/day2\/node\.x86_64-rootfs\.img$/,
    );
    expect([...(await live.initrd.read()).keys()]).toEqual(['config.ign']);
  });

  test('is refused without that address', async () => {
    const plan = planFor({ text: CONFIG.replace(/^boot.*\n/, '') });
    await expect(build({ form: 'minimal-iso' }, plan)).rejects.toMatchObject({ code: 'OPENSHIFT_NO_BOOT_URL' });
  });
});

describe('one image per host', () => {
  test('has the profiles of that host in place, and no others', async () => {
    const image = await build({ perHost: true });
    expect(names(image)).toEqual(['worker-0.x86_64.iso', 'worker-1.x86_64.iso']);
    const first = await members(image, 'worker-0.x86_64.iso');
    expect([...first.keys()].sort()).toEqual(['config.ign', 'etc/coreos-firstboot-network/eth0.nmconnection']);
    expect(first.get('etc/coreos-firstboot-network/eth0.nmconnection')).toContain('mac-address=52:54:00:AB:00:01');
    expect(first.get('config.ign')).not.toContain('coreiso-network');
    expect(first.get('config.ign')).not.toContain('worker-1');
    expect([...(await members(image, 'worker-1.x86_64.iso')).keys()]).toEqual(['config.ign']);
  });

  test('shares kernel and root file system over the network', async () => {
    expect(names(await build({ perHost: true, form: 'pxe' })).sort()).toEqual([
      'node.x86_64-rootfs.img',
      'node.x86_64-vmlinuz',
      'worker-0.x86_64-initrd.img',
      'worker-0.x86_64.ipxe',
      'worker-1.x86_64-initrd.img',
      'worker-1.x86_64.ipxe',
    ]);
  });

  test('uses the position of a host whose name is not a file name', async () => {
    const config = parseNodesConfigOrThrow(CONFIG.replace('worker-0', '-up').replace('worker-1', 'HOST-0'), {
      mode: 'compatible',
    });
    expect(names(await build({ perHost: true }, planNodes(config)))).toEqual([
      'host-0.x86_64.iso',
      'host-1.x86_64.iso',
    ]);
  });

  test('is refused for a host that only works by interface names', async () => {
    const plan = planFor({
      text: `hosts:
- hostname: bonded
  interfaces: [{ name: eth0, macAddress: 52:54:00:ab:00:01 }, { name: eth1, macAddress: 52:54:00:ab:00:02 }]
  networkConfig:
    interfaces:
    - { name: eth0, type: ethernet, state: up }
    - { name: eth1, type: ethernet, state: up }
    - name: bond0
      type: bond
      state: up
      ipv4: { enabled: true, dhcp: true }
      link-aggregation: { mode: active-backup, options: { primary: eth0 }, port: [eth0, eth1] }
`,
    });
    await expect(build({ perHost: true }, plan)).rejects.toMatchObject({
      code: 'OPENSHIFT_UNBINDABLE',
      message: expect.stringContaining('bond0.nmconnection: primary=eth0'),
    });
  });
});

test('writes the same report as upstream', async () => {
  const times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)));
  const { report } = await build({ now: () => times.shift() ?? new Date(0) });
  expect(report).toMatchObject({
    id: 'report-addnodes-202601020304',
    start_time: '2026-01-02T03:04:00.000Z',
    end_time: '2026-01-02T03:04:09.000Z',
    result: { exit_code: 0 },
  });
  expect(report.stages.map(({ id, description }) => [id, description])).toEqual([
    ['add-nodes-cluster-inspection', 'Gathering additional information from the target cluster'],
    ['ignition', 'Rendering ISO ignition'],
    ['fetch-base-iso', 'Retrieving the base ISO image'],
    ['generate-iso', 'Assembling ISO image'],
  ]);
  expect(report.stages[0]?.start_time).toBe('2026-01-02T03:04:01.000Z');
  expect(JSON.parse(report.stages[0]?.result ?? '')).toEqual({
    Version: '4.20.3',
    ReleaseImage: CLUSTER.releaseImage,
    PlatformType: 'BareMetal',
    Architecture: 'amd64',
  });
  expect(report.status).toBeUndefined();
});

test('reports the status token of the machines, for one image or many', async () => {
  const statusToken = '0123456789abcdef0123456789abcdef';
  const hosts = parseNodesConfigOrThrow(CONFIG, { cluster: CLUSTER });
  const plan = planNodes(hosts, { cluster: CLUSTER, join: 'direct', statusToken, expires: new Date(0) });
  for (const perHost of [false, true]) {
    const image = await build({ perHost }, plan);
    expect(image.report.status).toEqual({ port: 8090, token: statusToken });
    for (const name of names(image)) {
      const ignition = (await members(image, name)).get('config.ign');
      expect(paths(ignition)).toContain('/etc/coreiso/status-token');
    }
  }
});
