// The recorded cases of `coreos-installer download` and `list-stream`, with our own server and keys.
import type { Case, Input, Served, Step } from '../test/recorded/recording.ts';
import { SIGNATURES } from '../test/recorded/signed.ts';

const sig = (name: keyof typeof SIGNATURES, changes: Omit<Input, 'base64'> = {}): Served => ({
  file: { base64: SIGNATURES[name], ...changes },
});
const noise = (seed: string, bytes: number): Served => ({ file: { stream: { seed, bytes } } });

const DISK = noise('disk', 1_150_000);
/** 1.3 MB of `a live image `. */
const XZ: Input = {
  base64:
    '/Td6WFoAAAFpIt42AgAhARwAAAAQz1jM89YfAQtdADCICYbUZkKykA3EzUq4EOM2E4+l+R312N4siN9WhBDq7/pCY6GXiVcwiQZGwwB9HQqT4aV1c/7FR4g4QaAA7MfnIzsN5Etz4GE8ZGmxuPUcJhhT1m8Bt/tkmLm5Lf3ST/c20eUZy/If37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvN/5UoRg+p/Hze+5owLlbAj4Xzg4HAZcQlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvN/5UoRg+p/HxZGELfAAAAlJT2igABowKgrE8ANgr1zD4wDYsCAAAAAAFZWg==',
};
const GZ: Input = {
  base64:
    'H4sIAAAAAAACA+3HwQkAIAwEsFW62j2KFPTr/M4hJL+k9tyuOVldERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERERH5Mw+UlPaKINYTAA==',
};

interface File {
  readonly location?: unknown;
  readonly signature?: unknown;
}
type Formats = Readonly<Record<string, Readonly<Record<string, File>>>>;

const file = (path: string): File => ({ location: `$SERVER/${path}`, signature: `$SERVER/${path}.sig` });
const stream = (platforms: Readonly<Record<string, Formats>>, architecture = 'x86_64'): Served => ({
  file: {
    text: JSON.stringify({
      stream: 'stable',
      architectures: {
        [architecture]: {
          artifacts: Object.fromEntries(
            Object.entries(platforms).map(([name, formats]) => [name, { release: '42.1', formats }]),
          ),
        },
      },
    }),
  },
});
const metal = (formats: Formats): Served => stream({ metal: formats });
const text = (value: string): Served => ({ file: { text: value } });

const BASE = '--stream-base-url=$SERVER/';
const words = (line: string): Step => ({ argv: line.split(' ').filter((word) => word !== '') });
/** A `download` step: the address of the server, then the words of a line. */
const get = (line = ''): Step => words(`download ${BASE} -a x86_64 ${line}`);
const url = (path: string, line = ''): Step => words(`download -u $SERVER/${path} ${line}`);

function* streamCases(): Generator<Case> {
  const ALL = {
    '/stable.json': stream({
      metal: {
        iso: { disk: file('live.iso') },
        pxe: { rootfs: file('rootfs.img'), kernel: file('kernel'), initramfs: file('initramfs.img') },
        'raw.xz': { disk: file('metal.raw.xz') },
        '4k.raw.xz': { disk: file('metal4k.raw.xz') },
        none: {},
      },
      qemu: { 'qcow2.gz': { disk: file('disk.qcow2.gz') } },
    }),
    '/other.json': stream({ metal: { 'raw.xz': { disk: file('metal.raw.xz') } } }, 'aarch64'),
    '/live.iso': DISK,
    '/live.iso.sig': sig('disk'),
    '/metal.raw.xz': DISK,
    '/metal.raw.xz.sig': sig('disk'),
    '/metal4k.raw.xz': { file: XZ },
    '/metal4k.raw.xz.sig': sig('xz'),
    '/disk.qcow2.gz': { file: GZ },
    '/disk.qcow2.gz.sig': sig('gz'),
    '/kernel': noise('kernel', 1_048_576),
    '/kernel.sig': sig('kernel'),
    '/initramfs.img': noise('initramfs', 1_048_586),
    '/initramfs.img.sig': sig('initramfs'),
    '/rootfs.img': noise('rootfs', 1_548_576),
    '/rootfs.img.sig': sig('rootfs'),
  };
  yield {
    id: 'stream',
    served: ALL,
    inputs: { there: { dir: true } },
    steps: [
      get(),
      get(),
      get('-f iso -C there'),
      get('--format iso --directory there'),
      get('-f pxe'),
      get('-f 4k.raw.xz -d'),
      get('-f 4k.raw.xz --decompress'),
      get('-p qemu -f qcow2.gz -d -C there/'),
      get('--platform qemu --format qcow2.gz --decompress'),
      get('-f iso -d'),
      get('-s stable -f iso --insecure'),
    ],
  };
  yield {
    id: 'stream-other-machine',
    served: ALL,
    steps: [
      words(`download ${BASE} -s other -a aarch64`),
      words(`download ${BASE} --stream other --architecture aarch64 --platform metal`),
    ],
  };
  yield {
    id: 'stream-lacks',
    served: ALL,
    steps: [
      words(`download ${BASE} -a s390x`),
      get('-p azure'),
      get('-f vhd'),
      get('-f none'),
      get('-s missing'),
      get('-C missing'),
    ],
  };
  yield {
    id: 'stream-existing-is-replaced',
    served: ALL,
    inputs: {
      'metal.raw.xz': { text: 'another file' },
      'live.iso': { text: 'another file' },
      'live.iso.sig': { text: 'x' },
    },
    steps: [get(), get('-f iso')],
  };
  yield {
    id: 'stream-broken',
    served: {
      '/empty.json': text(''),
      '/text.json': text('no JSON'),
      '/list.json': text('[]'),
      '/none.json': text('{}'),
      '/null.json': text('{"architectures":null}'),
      '/unsigned.json': metal({ 'raw.xz': { disk: { location: 'a' } } }),
      '/number.json': metal({ 'raw.xz': { disk: { location: 7, signature: 'b' } } }),
      '/relative.json': metal({ 'raw.xz': { disk: { location: 'disk', signature: 'sig' } } }),
      '/relative-sig.json': metal({ 'raw.xz': { disk: { location: 'http://a.test/', signature: 'sig' } } }),
      '/more.json': text('{"architectures":{}} more'),
      '/twice.json': text('{"architectures":{},"architectures":{}}'),
      '/formats.json': text('{"architectures":{"x86_64":{"artifacts":{"metal":{}}}}}'),
      '/artifacts.json': text('{"architectures":{"x86_64":{}}}'),
      '/odd.json': text('{"architectures":{"x86_64":{"artifacts":{"metal":{"formats":{"iso":[]}}}}}}'),
    },
    steps: [
      ...['empty', 'text', 'list', 'none', 'null', 'unsigned', 'number', 'relative', 'relative-sig', 'more', 'twice'],
      ...['formats', 'artifacts', 'odd', 'missing'],
    ].map((name) => get(`-s ${name}`)),
  };
}

function* urlCases(): Generator<Case> {
  const signed = (name: keyof typeof SIGNATURES): Record<string, Served> => ({
    '/disk.raw': DISK,
    '/disk.raw.sig': sig(name),
  });
  for (const name of ['disk', 'disk-modern', 'disk-old', 'disk-armored', 'disk-sha512'] as const) {
    yield {
      id: `signature-good-${name}`,
      served: signed(name),
      steps: [url('disk.raw'), url('disk.raw', '--insecure')],
    };
  }
  for (const [id, given] of [
    ['stranger', sig('disk-stranger')],
    ['of-another', sig('kernel')],
    ['text', text('no signature\n')],
    ['empty', text('')],
    ['cut', sig('disk', { truncate: 100 })],
    ['damaged', sig('disk', { patch: [{ at: 300, hex: '00ff00ff' }] })],
    ['error', { status: 500 }],
    ['twice', { file: { concat: [{ base64: SIGNATURES.disk }, { base64: SIGNATURES['disk-modern'] }] } }],
    ['and-stranger', { file: { concat: [{ base64: SIGNATURES.disk }, { base64: SIGNATURES['disk-stranger'] }] } }],
  ] as const) {
    yield {
      id: `signature-${id}`,
      inputs: { 'disk.raw': { text: 'another file' } },
      served: { '/disk.raw': DISK, '/disk.raw.sig': given },
      steps: [url('disk.raw'), url('disk.raw', '--insecure')],
    };
  }
  yield {
    id: 'signature-absent',
    inputs: { 'disk.raw': { text: 'another file' } },
    served: { '/disk.raw': DISK },
    steps: [url('disk.raw'), url('disk.raw', '--insecure'), url('disk.raw', '--insecure -d')],
  };
  yield {
    id: 'url-forms',
    served: {
      '/moved': { location: '/b/disk.raw' },
      '/moved.sig': { location: '/b/disk.raw.sig' },
      '/b/disk.raw': DISK,
      '/b/disk.raw.sig': sig('disk'),
      '/a.tar.gz': DISK,
      '/a.tar.gz.sig': sig('disk'),
      '/a.tar.xz': DISK,
      '/a.tar.xz.sig': sig('disk'),
      '/a.gz.gz': { file: GZ },
      '/a.gz.gz.sig': sig('gz'),
      '/plain.gz': DISK,
      '/plain.gz.sig': sig('disk'),
      '/a%20b.raw': DISK,
      '/a%20b.raw.sig': sig('disk'),
      '/q.raw?x=1': DISK,
      '/q.raw.sig?x=1': sig('disk'),
    },
    steps: [
      url('moved'),
      url('a.tar.gz', '-d'),
      url('a.tar.xz', '-d'),
      url('a.gz.gz', '-d'),
      url('plain.gz', '-d'),
      url('a%20b.raw'),
      url('q.raw?x=1'),
    ],
  };
  yield {
    id: 'url-broken',
    served: {
      '/short': text('short'),
      '/nothing': text(''),
      '/gone': { status: 410 },
      '/created': { ...DISK, status: 206 },
      '/cut': { ...DISK, cut: 500_000 },
      '/late': { ...DISK, cut: 1_100_000 },
      '/cut.xz': { file: { ...XZ, truncate: 200 } },
      '/damaged.xz': { file: { ...XZ, patch: [{ at: 200, hex: '00ff' }] } },
      '/more.xz': { file: { ...XZ, extend: 4 } },
      '/cut.gz': { file: { ...GZ, truncate: 2000 } },
      '/damaged.gz': { file: { ...GZ, patch: [{ at: 2560, hex: '00ff' }] } },
      '/more.gz': { file: { ...GZ, extend: 4 } },
    },
    steps: [
      ...['short', 'nothing', 'gone', 'created', 'missing'].map((path) => url(path, '--insecure')),
      ...['cut.xz', 'damaged.xz', 'more.xz', 'cut.gz', 'damaged.gz', 'more.gz'].map((path) =>
        url(path, '--insecure -d'),
      ),
      ...['cut', 'late'].map((path) => url(path, '--insecure')),
      words('download -u ftp://127.0.0.1/disk.raw --insecure'),
    ],
  };
  yield {
    id: 'url-retries',
    served: {
      '/busy': { ...DISK, busy: 1 },
      '/busy.sig': { ...sig('disk'), busy: 1 },
      '/always': { ...DISK, busy: 9 },
    },
    steps: [url('always'), url('busy', '--fetch-retries 1'), url('always', '--insecure --fetch-retries=0')],
  };
}

function* listCases(): Generator<Case> {
  const formats = { iso: { disk: file('a') }, 'raw.xz': { disk: file('b') }, pxe: {} };
  yield {
    id: 'list-stream',
    served: {
      '/stable.json': stream({
        qemu: { 'qcow2.xz': {} },
        metal: formats,
        aws: { 'vmdk.xz': { disk: file('c') } },
        none: {},
      }),
      '/next.json': stream({ longer_than_platform: formats }, 'architecture-64'),
      '/none.json': text('{"architectures":{}}'),
      '/text.json': text('no JSON'),
      '/busy.json': { status: 503 },
    },
    steps: [
      words(`list-stream ${BASE}`),
      words(`list-stream ${BASE} -s next`),
      words(`list-stream ${BASE} --stream none`),
      words(`list-stream ${BASE} -s text`),
      words(`list-stream ${BASE} -s busy`),
      words(`list-stream ${BASE} -s missing`),
      words('list-stream --stream-base-url=$SERVER/deeper -s none'),
      words('list-stream --stream-base-url=http://127.0.0.1:1024/'),
    ],
  };
}

function* refusedCases(): Generator<Case> {
  yield {
    id: 'refused',
    served: {},
    steps: [
      'download --stream-base-url x',
      'download --stream-base-url http://',
      'download -u x',
      'download --fetch-retries -1',
      'download --fetch-retries=-1',
      'download --fetch-retries x',
      'download --fetch-retries 4294967296',
      'download --fetch-retries=',
      'download extra',
      'download --insecure --insecure',
      'download --foo',
      'download -s',
      'list-stream --foo',
      'list-stream extra',
      'list-stream --stream-base-url x',
      'list-stream -s a -s b',
    ].map(words),
  };
}

export const downloadCases: readonly Case[] = [...streamCases(), ...urlCases(), ...listCases(), ...refusedCases()];
