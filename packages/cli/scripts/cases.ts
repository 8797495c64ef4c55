// The recorded cases of coreos-installer on our sample images: every command, every kind of output, every refusal.
import type { Case, Input, Inputs, Step } from '../test/recorded/recording.ts';
import { downloadCases } from './download-cases.ts';

const sample = (kind: string, changes: Omit<Input, 'sample'> = {}): Input => ({ sample: { kind }, ...changes });

const NEWEST = '2023-07.x86_64';
const NEWEST_S390X = '2023-07.s390x';
const EROFS = '2025-04.x86_64';
/** An image of every generation and of every architecture. */
const KINDS = [
  '2020-09.x86_64',
  '2021-01.aarch64',
  '2021-09.ppc64le',
  '2021-12.x86_64',
  '2022-02.aarch64',
  '2022-09.ppc64le',
  '2023-03.x86_64',
  '2023-03.s390x',
  '2023-07.aarch64',
  NEWEST_S390X,
  NEWEST,
  '2025-04.aarch64',
  '2025-04.s390x',
  EROFS,
];

const IGNITION: Input = { text: '{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"/etc/motd"}]}}' };
const OTHER_IGNITION: Input = {
  text: '{"ignition":{"version":"3.1.0"},"systemd":{"units":[{"name":"a.service","mask":true}]}}\n',
};
const KEYFILE: Input = { text: '[connection]\nid=ens3\ntype=ethernet\n\n[ipv4]\nmethod=auto\n' };
const OTHER_KEYFILE: Input = { text: '[connection]\nid=bond0\ntype=bond\n' };
const NETWORK_STATE: Input = {
  text: 'interfaces:\n- name: ens3\n  type: ethernet\n  state: up\n  mac-address: 52:54:00:12:34:56\n  ipv4:\n    enabled: true\n    dhcp: true\n- name: ens3.7\n  type: vlan\n  state: up\n  vlan: {base-iface: ens3, id: 7}\n',
};
const CERTIFICATE: Input = {
  text: '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUfakefakefakefakefakefakefakefakewCgYIKoZIzj0E\n-----END CERTIFICATE-----\n',
};
const SCRIPT: Input = { text: '#!/bin/sh\necho "about to install" > /dev/kmsg\n' };
const INSTALLER_CONFIG: Input = { text: 'image-url: https://example.org/metal.raw.xz\ninsecure: true\n' };
/** Incompressible data. */
const NOISE: Input = { stream: { seed: 'too much', bytes: 280_000 } };

const run = (...argv: string[]): Step => ({ argv });
const words = (line: string): Step => run(...line.split(' '));
const lines = (...list: string[]): Step[] => list.map(words);

function* ignitionCases(): Generator<Case> {
  for (const kind of KINDS) {
    yield {
      id: `ignition-${kind}`,
      inputs: { 'in.iso': sample(kind), 'c.ign': IGNITION, 'd.ign': OTHER_IGNITION },
      steps: lines(
        'iso ignition show in.iso',
        'iso ignition embed -i c.ign in.iso',
        'iso ignition show in.iso',
        'iso ignition embed -i d.ign in.iso',
        'iso ignition embed -f -i d.ign -o out.iso in.iso',
        'iso ignition show out.iso',
        'iso ignition embed --force --ignition-file d.ign --output - in.iso',
        'iso ignition remove -o - in.iso',
        'iso ignition remove in.iso',
        'iso ignition remove in.iso',
        'dev show iso --ignition in.iso',
      ),
    };
  }
  yield {
    id: 'ignition-stdin',
    inputs: { 'in.iso': sample(NEWEST), empty: { text: '' }, any: { stream: { seed: 'any bytes', bytes: 3001 } } },
    steps: [
      { argv: ['iso', 'ignition', 'embed', 'in.iso'], stdin: { file: 'any' } },
      words('iso ignition show in.iso'),
      { argv: ['iso', 'ignition', 'embed', '-f', 'in.iso'], stdin: { file: 'empty' } },
      words('iso ignition show in.iso'),
    ],
  };
  yield {
    id: 'ignition-old-names',
    inputs: { 'in.iso': sample(NEWEST), 'c.ign': IGNITION },
    steps: lines(
      'iso embed -c c.ign in.iso',
      'iso show in.iso',
      'iso embed -c c.ign in.iso -o out.iso',
      'iso remove in.iso',
      'iso show in.iso',
    ),
  };
  yield {
    id: 'ignition-too-large',
    inputs: { 'in.iso': sample(NEWEST), noise: NOISE, here: IGNITION },
    steps: lines(
      'iso ignition embed -i noise in.iso',
      'iso ignition embed -i noise in.iso -o out.iso',
      'iso ignition embed -i noise in.iso -o here',
      'iso ignition embed -i noise in.iso -o nowhere/out.iso',
    ),
  };
  yield {
    id: 'ignition-fits-as-xz-alone',
    about: 'an alphabet of sixteen, which Huffman codes waste a little on',
    inputs: { 'in.iso': sample(NEWEST), hex: { stream: { seed: 'digits', bytes: 250_000, encode: 'hex' } } },
    steps: lines('iso ignition embed -i hex in.iso'),
  };
}

function* networkCases(): Generator<Case> {
  for (const kind of ['2021-09.ppc64le', '2021-12.x86_64', NEWEST_S390X, NEWEST]) {
    yield {
      id: `network-${kind}`,
      inputs: { 'in.iso': sample(kind), 'b.nmconnection': OTHER_KEYFILE, 'a.nmconnection': KEYFILE, 'c.ign': IGNITION },
      steps: lines(
        'iso network extract in.iso',
        'iso network embed -k b.nmconnection -k a.nmconnection in.iso',
        'iso network extract in.iso',
        'iso ignition embed -i c.ign in.iso',
        'iso network embed -k b.nmconnection in.iso',
        'iso network embed -f --keyfile b.nmconnection -o out.iso in.iso',
        'iso network extract -C . in.iso',
        'iso network extract -C new/dir in.iso',
        'iso network extract -C new/dir/ out.iso',
        'iso network remove in.iso -o -',
        'iso network remove in.iso',
        'iso ignition show in.iso',
        'iso reset in.iso',
      ),
    };
  }
  yield {
    id: 'network-names',
    inputs: { 'in.iso': sample(NEWEST), 'd/one': KEYFILE, 'e/one': OTHER_KEYFILE, 'ü b': KEYFILE },
    steps: [
      ...lines(
        'iso network embed -k d/one -k e/one in.iso',
        'iso network embed -k d/./one in.iso',
        'iso network embed -f -k d in.iso',
        'iso network embed -f -k nowhere in.iso',
      ),
      run('iso', 'network', 'embed', '-f', '-k', 'ü b', '-k', './e//one', 'in.iso'),
      words('iso network extract in.iso'),
      words('iso network extract -C d/one in.iso'),
      words('iso network extract -C d/one/x in.iso'),
    ],
  };
}

function* kargsCases(): Generator<Case> {
  for (const kind of KINDS) {
    yield {
      id: `kargs-${kind}`,
      inputs: { 'in.iso': sample(kind) },
      steps: [
        ...lines(
          'iso kargs show in.iso',
          'iso kargs show --default in.iso',
          'iso kargs modify -a console=ttyS0 -a foo in.iso',
        ),
        ...lines(
          'iso kargs show in.iso',
          'iso kargs modify -d foo -r console=ttyS0=tty1 in.iso -o out.iso',
          'iso kargs show out.iso',
        ),
        ...lines(
          'iso kargs modify --append bar --delete ignition.firstboot in.iso -o -',
          'iso kargs reset -o - in.iso',
          'iso kargs reset in.iso',
        ),
        words('dev show iso --kargs in.iso'),
      ],
    };
  }
  yield {
    id: 'kargs-editing',
    inputs: { 'in.iso': sample(NEWEST) },
    steps: [
      words('iso kargs modify in.iso'),
      run('iso', 'kargs', 'modify', '-a', ' x  y ', '-a', 'x', '-a', 'x', 'in.iso'),
      run('iso', 'kargs', 'modify', '-d', 'x', 'in.iso', '-o', 'less.iso'),
      words('iso kargs show less.iso'),
      run('iso', 'kargs', 'modify', '-d', 'y x', '-a', 'k=v', '-r', 'k=v=w', 'in.iso'),
      words('iso kargs show in.iso'),
      words('iso kargs modify -r k=w in.iso'),
      words('iso kargs modify -r k==w in.iso'),
      words('iso kargs modify -r a=b=c=d in.iso'),
      run('iso', 'kargs', 'modify', '-a', 'ü=$&', '--append=-dash', 'in.iso'),
      words('iso kargs show in.iso'),
      run('iso', 'kargs', 'modify', '-a', 'l'.repeat(2000), 'in.iso'),
    ],
  };
}

const CUSTOMIZE_INPUTS: Inputs = {
  'live.ign': IGNITION,
  'dest.ign': OTHER_IGNITION,
  'unused.ign': {
    text: '{"ignition":{"version":"3.2.0"},"storage":{"files":[{"path":"/x","mode":420,"colour":"red"}]}}',
  },
  'newer.ign': { text: '{"ignition":{"version":"3.99.0"}}' },
  'broken.ign': { text: '{"ignition":' },
  'ens3.nmconnection': KEYFILE,
  'bond0.nmconnection': OTHER_KEYFILE,
  'net.yaml': NETWORK_STATE,
  'ca.pem': CERTIFICATE,
  before: SCRIPT,
  after: SCRIPT,
  'site.yaml': INSTALLER_CONFIG,
  'wrong.yaml': { text: 'no-such-key: 1\n' },
};

/** One option or one group of options at a time. */
const CUSTOMIZATIONS: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  'live-ignition': ['--live-ignition', 'live.ign', '--live-ignition', 'dest.ign'],
  'dest-ignition': ['--dest-ignition', 'dest.ign'],
  'dest-ignition-twice': ['--dest-ignition', 'dest.ign', '--dest-ignition', 'live.ign'],
  'dest-ignition-unused-key': ['--dest-ignition', 'unused.ign'],
  'dest-ignition-newer': ['--dest-ignition', 'newer.ign'],
  'dest-ignition-broken': ['--dest-ignition', 'broken.ign'],
  'dest-device': ['--dest-device', '/dev/disk/by-id/wwn-1'],
  'dest-console': ['--dest-console', 'ttyS0,115200', '--dest-console', 'tty0'],
  'dest-kargs': ['--dest-karg-append', 'a=b c', '--dest-karg-append', "it's: ~", '--dest-karg-delete', 'quiet'],
  'dest-karg-console': ['--dest-karg-append', 'console=ttyS0'],
  'network-keyfile': ['--network-keyfile', 'ens3.nmconnection', '--network-keyfile', 'bond0.nmconnection'],
  'network-nmstate': ['--network-nmstate', 'net.yaml'],
  'network-twice': ['--network-keyfile', 'ens3.nmconnection', '--network-nmstate', 'net.yaml'],
  'network-and-device': ['--network-nmstate', 'net.yaml', '--dest-device', '/dev/vda'],
  'ignition-ca': ['--ignition-ca', 'ca.pem'],
  'ignition-ca-and-dest': ['--ignition-ca', 'ca.pem', '--dest-ignition', 'dest.ign'],
  scripts: ['--pre-install', 'before', '--post-install', 'after', '--pre-install', 'after'],
  'scripts-twice': ['--pre-install', 'before', '--pre-install', 'before'],
  'installer-config': ['--installer-config', 'site.yaml', '--installer-config', 'site.yaml'],
  'installer-config-wrong': ['--installer-config', 'wrong.yaml'],
  'missing-file': ['--ignition-ca', 'nowhere.pem'],
  everything: [
    ...['--live-ignition', 'live.ign', '--dest-ignition', 'dest.ign', '--dest-device', '/dev/sda'],
    ...['--dest-console', 'ttyS1', '--dest-karg-append', 'x', '--dest-karg-delete', 'y', '--ignition-ca', 'ca.pem'],
    ...['--network-keyfile', 'bond0.nmconnection', '--network-nmstate', 'net.yaml'],
    ...['--pre-install', 'before', '--post-install', 'after', '--installer-config', 'site.yaml'],
  ],
};

function* customizeCases(): Generator<Case> {
  for (const [name, options] of Object.entries(CUSTOMIZATIONS)) {
    yield {
      id: `customize-${name}`,
      inputs: { 'in.iso': sample(NEWEST), ...CUSTOMIZE_INPUTS },
      steps: [run('iso', 'customize', ...options, '-o', 'out.iso', 'in.iso')],
    };
  }
  const everything = CUSTOMIZATIONS['everything'] ?? [];
  for (const kind of KINDS) {
    yield {
      id: `customize-everything-${kind}`,
      inputs: { 'in.iso': sample(kind), ...CUSTOMIZE_INPUTS },
      steps: [
        run('iso', 'customize', ...everything, '--live-karg-append', 'p', '--live-karg-delete', 'q', 'in.iso'),
        run('iso', 'customize', '--live-ignition', 'live.ign', 'in.iso'),
      ],
    };
  }
  yield {
    id: 'customize-force',
    inputs: { 'in.iso': sample(NEWEST), ...CUSTOMIZE_INPUTS },
    steps: [
      run('iso', 'customize', ...everything, '--live-karg-append', 'p=1', 'in.iso'),
      run('iso', 'customize', '--live-karg-append', 'q', 'in.iso'),
      run('iso', 'customize', '-f', '--network-keyfile', 'ens3.nmconnection', 'in.iso'),
      words('iso kargs show in.iso'),
      run('iso', 'customize', '--force', '--live-karg-replace', 'ignition.platform.id=metal=qemu', 'in.iso', '-o', '-'),
      run('iso', 'customize', '-f', 'in.iso', '-o', 'in.iso'),
      words('iso reset in.iso -o reset.iso'),
      words('iso reset in.iso'),
    ],
  };
}

function* extractCases(): Generator<Case> {
  for (const kind of KINDS) {
    yield {
      id: `extract-${kind}`,
      inputs: { 'my.live.iso': sample(kind), 'c.ign': IGNITION },
      steps: lines(
        'iso extract pxe my.live.iso',
        'iso extract pxe my.live.iso -o new/pxe',
        'iso extract pxe -o new/pxe my.live.iso',
        'iso extract minimal-iso my.live.iso min.iso',
        'iso extract minimal-iso my.live.iso',
        'iso extract minimal-iso my.live.iso min.iso --output-rootfs rootfs.img',
        'iso extract minimal-iso --rootfs-url https://example.org/r my.live.iso url.iso',
        'iso ignition embed -i c.ign my.live.iso',
        'iso extract minimal-iso my.live.iso other.iso',
      ),
    };
  }
  yield {
    id: 'extract-refused',
    inputs: { 'in.iso': sample(NEWEST), file: IGNITION, 'min/x': IGNITION },
    steps: [
      ...lines(
        'iso extract pxe in.iso -o file',
        'iso extract pxe in.iso -o file/x',
        'iso extract minimal-iso in.iso nowhere/x',
        'iso extract minimal-iso in.iso file/x',
      ),
      ...lines('iso extract minimal-iso in.iso min', 'iso extract minimal-iso in.iso ok.iso --output-rootfs nowhere/x'),
      run('iso', 'extract', 'minimal-iso', 'in.iso', 'a.iso', '--rootfs-url', 'two words'),
      run('iso', 'extract', 'minimal-iso', 'in.iso', ''),
    ],
  };
}

function* pxeCases(): Generator<Case> {
  const features =
    '{"installer-config":true,"live-initrd-network":true,"installer-config-directives":{"console":true}}';
  const member = (path: string, text: string): Input => ({ text: newc(path, text) });
  const end: Input = { text: newc('TRAILER!!!', '') };
  const initramfs: Input = {
    concat: [member('etc/coreos-live-initramfs', ''), member('etc/coreos/features.json', features), end],
  };
  yield {
    id: 'pxe-wrap',
    inputs: { 'c.ign': IGNITION, 'a.nm': KEYFILE, 'b.nm': OTHER_KEYFILE, 'd/a.nm': KEYFILE },
    steps: [
      ...lines(
        'pxe ignition wrap -i c.ign -o c.img',
        'pxe ignition unwrap c.img',
        'pxe ignition wrap --ignition-file c.ign',
      ),
      { argv: ['pxe', 'ignition', 'wrap'], stdin: { file: 'c.ign' } },
      { argv: ['pxe', 'ignition', 'unwrap'], stdin: { file: 'c.img' } },
      ...lines(
        'pxe ignition wrap -i nowhere -o c.img',
        'pxe ignition wrap -i c.ign -o nowhere/c.img',
        'pxe ignition wrap -i c.ign -o d',
      ),
      ...lines(
        'pxe network wrap -k b.nm -k a.nm -o n.img',
        'pxe network unwrap n.img',
        'pxe network unwrap -C out n.img',
      ),
      ...lines('pxe network unwrap -C out n.img', 'pxe network wrap -k a.nm -k d/a.nm', 'pxe network wrap -k a.nm'),
      ...lines(
        'pxe ignition unwrap n.img',
        'pxe network unwrap c.img',
        'pxe ignition unwrap nowhere',
        'pxe ignition unwrap d',
      ),
      ...lines(
        'dev show initrd n.img',
        'dev show initrd n.img *b.nm',
        'dev show initrd n.img [',
        'dev extract initrd -v n.img',
        'dev extract initrd n.img',
      ),
      ...lines('dev extract initrd -C deep/er n.img etc/*/a.nm', 'dev show initrd d', 'dev show initrd nowhere'),
      { argv: ['dev', 'extract', 'initrd', '--directory', 'x', '--verbose', '-'], stdin: { file: 'c.img' } },
    ],
  };
  for (const [name, options] of Object.entries(CUSTOMIZATIONS)) {
    yield {
      id: `pxe-customize-${name}`,
      inputs: { 'initrd.img': initramfs, ...CUSTOMIZE_INPUTS },
      steps: [run('pxe', 'customize', ...options, '-o', 'out.img', 'initrd.img')],
    };
  }
  yield {
    id: 'pxe-customize-outputs',
    inputs: {
      'initrd.img': initramfs,
      'stranger-initrd.img': { concat: [member('etc/motd', 'hello'), end] },
      'broken-initrd.img': { text: 'no archive at all' },
      ...CUSTOMIZE_INPUTS,
    },
    steps: [
      ...lines(
        'pxe customize --live-ignition live.ign -o - initrd.img',
        'pxe customize --live-ignition live.ign -o out.img initrd.img',
      ),
      ...lines(
        'pxe customize --live-ignition live.ign -o out.img initrd.img',
        'pxe customize -o again.img out.img',
        'pxe ignition unwrap out.img',
      ),
      ...lines(
        'pxe customize -o x stranger-initrd.img',
        'pxe customize -o - stranger-initrd.img',
        'pxe customize -o x broken-initrd.img',
      ),
      ...lines('pxe customize -o nowhere/x broken-initrd.img', 'pxe customize -o x nowhere'),
    ],
  };
}

function* devCases(): Generator<Case> {
  for (const kind of KINDS) {
    yield { id: `dev-show-iso-${kind}`, inputs: { 'in.iso': sample(kind) }, steps: [words('dev show iso in.iso')] };
  }
  yield {
    id: 'dev-fiemap',
    inputs: { empty: { text: '' } },
    steps: lines('dev show fiemap empty', 'dev show fiemap nowhere'),
  };
}

function* packCases(): Generator<Case> {
  for (const kind of ['2021-12.x86_64', NEWEST_S390X, NEWEST]) {
    yield {
      id: `pack-${kind}`,
      inputs: { 'full.iso': sample(kind) },
      steps: [
        ...lines(
          'iso extract minimal-iso full.iso min.iso',
          'pack minimal-iso full.iso min.iso',
          'pack minimal-iso full.iso nowhere',
        ),
        ...lines('pack minimal-iso nowhere min.iso', 'pack minimal-iso full.iso full.iso'),
      ],
    };
  }
}

/** Damaged images, each read by several commands. */
const DAMAGED: Readonly<Record<string, Input>> = {
  empty: { text: '' },
  text: { repeat: { text: 'no image at all\n', count: 4000 } },
  zeros: { repeat: { text: '\0', count: 50_000 } },
  cut: sample(NEWEST, { truncate: 300_000 }),
  longer: sample(NEWEST, { extend: 5000 }),
  'descriptor-id': sample(NEWEST, { patch: [{ at: 32769, text: 'CD002' }] }),
  'descriptor-version': sample(NEWEST, { patch: [{ at: 32774, hex: '02' }] }),
  'no-primary': sample(NEWEST, { patch: [{ at: 32768, hex: '03' }] }),
  'root-outside': sample(NEWEST, { patch: [{ at: 32768 + 158, hex: 'ffffff0f' }] }),
  'no-features': sample(NEWEST, { replace: [{ find: 'FEATURES.JSO', with: 'FEATURES.JSX' }] }),
  'no-kargs-json': sample(NEWEST, { replace: [{ find: 'KARGS.JSO', with: 'KARGS.JSX' }] }),
  'no-igninfo': sample(NEWEST, { replace: [{ find: 'IGNINFO.JSO', with: 'IGNINFO.JSX' }] }),
  'no-recipe': sample(NEWEST, { replace: [{ find: 'MINISO.DAT', with: 'MINISO.DAX' }] }),
  'no-area': sample('2022-02.x86_64', { replace: [{ find: 'IGNITION.IMG', with: 'IGNITION.IMX' }] }),
  'bad-name': sample(NEWEST, { replace: [{ find: 'KARGS.JSO', with: 'KARGS@JSO' }] }),
  'other-karg': sample(NEWEST, { replace: [{ find: 'coreos.liveiso', with: 'coreos.liveisx' }] }),
};

function* damagedCases(): Generator<Case> {
  for (const [name, image] of Object.entries(DAMAGED)) {
    yield {
      id: `damaged-${name}`,
      inputs: { 'in.iso': image, 'c.ign': IGNITION, 'a.nm': KEYFILE },
      steps: lines(
        'iso ignition show in.iso',
        'iso ignition embed -i c.ign in.iso -o a.iso',
        'iso network embed -k a.nm in.iso -o b.iso',
        'iso kargs show in.iso',
        'iso customize --dest-device /dev/sda in.iso -o c.iso',
        'iso reset in.iso',
        'iso extract pxe in.iso',
        'iso extract minimal-iso in.iso min.iso',
        'dev show iso in.iso',
        'dev show iso --ignition in.iso',
        'dev show iso --kargs in.iso',
      ),
    };
  }
}

function* awkwardCases(): Generator<Case> {
  yield {
    id: 'awkward-outputs',
    inputs: {
      'in.iso': sample(NEWEST),
      'link.iso': { link: 'in.iso' },
      dangling: { link: 'gone' },
      d: { dir: true },
      'c.ign': IGNITION,
      'a b': IGNITION,
    },
    steps: [
      ...lines(
        'iso ignition embed -i c.ign link.iso',
        'iso ignition show in.iso',
        'iso ignition remove link.iso -o d/out.iso',
        'iso reset in.iso -o d',
      ),
      ...lines(
        'iso reset in.iso -o dangling',
        'iso reset dangling',
        'iso reset d',
        'iso ignition show d',
        'iso ignition show -',
        'iso reset in.iso -o c.ign/x',
      ),
      run('iso', 'reset', 'in.iso', '-o', ''),
      run('iso', 'reset', 'in.iso', '-o', '/'),
      run('iso', 'ignition', 'embed', '-f', '-i', 'a b', 'in.iso', '-o', 'out put.iso'),
      run('iso', 'ignition', 'embed', '-i', '-', 'in.iso'),
      run('iso', 'ignition', 'embed', '-f', '-i', 'd', 'in.iso'),
      run('iso', 'kargs', 'show', '--', 'in.iso'),
      run('iso', 'ignition', 'embed', '-fi', 'c.ign', '-o=e.iso', 'in.iso'),
      run('iso', 'ignition', 'embed', '-fic.ign', '-of.iso', 'in.iso'),
    ],
  };
  yield {
    id: 'awkward-command-lines',
    inputs: { 'in.iso': sample(NEWEST) },
    steps: [
      ...[
        '',
        'nope',
        'iso',
        'iso nope',
        'iso ignition',
        'iso ignition embed',
        'iso ignition show a b',
        'iso ignition show --force in.iso',
      ].map((line) => (line === '' ? run() : words(line))),
      ...lines(
        'iso ignition embed -i',
        'iso ignition embed -i a -i b in.iso',
        'iso ignition embed --force=1 in.iso',
        'iso ignition embed -ff in.iso',
      ),
      ...lines(
        'iso network embed in.iso',
        'iso network embed -k',
        'iso kargs modify -a',
        'iso kargs modify -a -x in.iso',
        'iso kargs modify --app x in.iso',
      ),
      ...lines(
        'iso customize --dest-console nope in.iso',
        'iso customize --dest-device a --dest-device b in.iso',
        'iso extract',
        'iso extract pxe',
      ),
      ...lines(
        'iso extract minimal-iso a b c',
        'pxe customize in.iso',
        'pxe customize -o x',
        'pxe network wrap',
        'pack',
        'pack osmet',
        'pack minimal-iso a',
      ),
      ...lines(
        'dev',
        'dev show',
        'dev show iso',
        'dev show iso --kargs --ignition in.iso',
        'dev show initrd',
        'dev extract initrd',
        'iso --version',
      ),
    ],
  };
}

/** Returns a member of a newc archive as text; its name and contents are ASCII. */
function newc(path: string, text: string): string {
  const field = (value: number): string => value.toString(16).padStart(8, '0');
  const padded = (part: string): string => part + '\0'.repeat((4 - (part.length % 4)) % 4);
  const mode = path === 'TRAILER!!!' ? 0 : 0o100644;
  const fields = [0, mode, 0, 0, 1, 0, text.length, 0, 0, 0, 0, path.length + 1, 0].map(field).join('');
  return padded(`070701${fields}${path}\0`) + padded(text);
}

/** Cases by the name of their recording. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  ignition: [...ignitionCases()],
  network: [...networkCases()],
  kargs: [...kargsCases()],
  customize: [...customizeCases()],
  extract: [...extractCases()],
  pxe: [...pxeCases()],
  dev: [...devCases()],
  pack: [...packCases()],
  damaged: [...damagedCases()],
  awkward: [...awkwardCases()],
  download: downloadCases,
};
