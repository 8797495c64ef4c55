// All options of all functions with wrong values: each is a TypeError that begins with the option's name.
import * as iso from '@coreiso/iso';
import { fetchStream, parseStream, pickStreamFile, readRelease } from '@coreiso/iso/base';
import { createFileServer, httpSource, rangeResponse } from '@coreiso/iso/http';
import { openIso, writeIso } from '@coreiso/iso/iso9660';
import { baseCache, fileSource, patchInPlace, writeCopy, writeStream } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { type ArgumentKind, checkArgument } from '@coreiso/peers/arguments';
import { expect, test } from 'vitest';

// The compiler would reject all of these.
// biome-ignore lint/suspicious/noExplicitAny: the point of this file
type Wrong = any;

const source = await sampleIso();
const image = await iso.openLiveImage(source);
const bytes = new Uint8Array(9);
/** Whether a value is an object of options, perhaps with wrong ones, and not something else. */
const isPlain = (options: Wrong): boolean => options?.constructor === Object;
const WORK = ['signal', 'onProgress'];
const REMOTE = ['fetch', 'retries', 'timeout', 'minRate', 'signal'];
/** Options of functions that would send requests: no server exists. */
const offline = (options: Wrong): Wrong => {
  const fetch = async (): Promise<Response> => new Response(null, { status: 404 });
  return isPlain(options) ? { fetch, ...options } : options;
};

const CALLS: readonly (readonly [call: string, options: readonly string[], (options: Wrong) => unknown])[] = [
  ['openLiveImage', ['signal'], (options) => iso.openLiveImage(source, options)],
  [
    'edit',
    ['compression', 'modes', 'grow', 'zstdFrames', 'inflate', ...WORK],
    (options) => iso.edit(image, {}, options),
  ],
  ['isPristine', ['signal'], (options) => iso.isPristine(image, options)],
  ['inspect', ['signal'], (options) => iso.inspect(source, options)],
  ['diffImages', ['sha256', ...WORK], (options) => iso.diffImages(source, source, options)],
  ['verifyImage', ['base', 'sha256', ...WORK], (options) => iso.verifyImage(source, options)],
  ['extractMinimal', ['rootfsUrl', 'sha256', ...WORK], (options) => iso.extractMinimal(image, options)],
  [
    'packMinimal',
    ['compression', 'appVersion', 'sha256', ...WORK],
    (options) => iso.packMinimal(bytes, bytes, isPlain(options) ? { compression: iso.gzip, ...options } : options),
  ],
  ['pxeFiles', ['signal'], (options) => iso.pxeFiles(source, options)],
  ['rootfs', ['signal'], (options) => iso.rootfs(source, options)],
  ['openInitramfs', ['signal'], (options) => iso.openInitramfs(bytes, options)],
  ['wrap', ['compression', ...WORK], (options) => iso.wrap({}, options)],
  ['readFiles', ['patterns'], (options) => iso.readFiles(bytes, options)],
  ['readArchives', ['signal', 'limit', 'zstdFrames', 'inflate'], (options) => iso.readArchives(bytes, options).next()],
  ['writeArchive', ['compression', ...WORK], (options) => iso.writeArchive([], options).next()],
  ['overlay', ['keep', 'tail'], (options) => iso.overlay(source, [], options)],
  ['toReadableStream', ['start', 'end', ...WORK], (options) => iso.toReadableStream(source, options)],
  ['toBlob', ['type', ...WORK], (options) => iso.toBlob(source, options)],
  ['openIso', ['view', 'limits', 'signal'], (options) => openIso(source, options)],
  ['sampleIso', ['kind', 'size'], (options) => sampleIso(options)],
  [
    'writeIso',
    [
      ...['volumeId', 'systemId', 'volumeSetId', 'publisherId', 'preparerId', 'applicationId'],
      ...['timestamp', 'joliet', 'boot', 'hybrid', 'systemArea', 'padSectors', 'signal'],
    ],
    (options) => writeIso([], isPlain(options) ? { volumeId: 'x', ...options } : options),
  ],
  [
    'httpSource',
    [...REMOTE, 'parallel', 'whole', 'onProgress'],
    (options) => httpSource('http://a/', offline(options)),
  ],
  [
    'rangeResponse',
    ['etag', 'filename', 'type', 'lastModified'],
    (options) => rangeResponse(new Request('http://a/'), source, options),
  ],
  ['createFileServer', ['secret', 'hosts', 'onRead', 'onError'], (options) => createFileServer([], options)],
  ['fetchStream', [...REMOTE, 'baseUrl'], (options) => fetchStream('stable', offline(options))],
  [
    'pickStreamFile',
    ['architecture', 'artifact', 'format', 'part'],
    (options) => pickStreamFile(parseStream({ stream: 'x', architectures: {} }), options),
  ],
  [
    'readRelease',
    [...REMOTE, 'architecture', 'pullSecret', 'mirrors', 'insecureRegistries', 'sha256'],
    (options) => readRelease('quay.io/a:1', offline(options)),
  ],
  ['baseCache', ['verify'], async (options) => void baseCache('/nowhere', options)],
  ['download', ['sha256', ...WORK], (options) => baseCache('/nowhere').download('http://a/', offline(options))],
  [
    'release',
    ['architecture', 'stream', ...WORK],
    (options) => baseCache('/nowhere').release('quay.io/a:1', offline(options)),
  ],
  ['fileSource', ['writable'], (options) => fileSource('nowhere', options)],
  ['writeCopy', ['replace', 'durable', ...WORK], (options) => writeCopy(source, '/nowhere/at/all', options)],
  ['writeStream', WORK, (options) => writeStream(source, process.stdout, options)],
  [
    'patchInPlace',
    ['journal', ...WORK],
    (options) => (patchInPlace as Wrong)(iso.overlay(source, []), source, options),
  ],
];

async function refusal(call: () => unknown): Promise<unknown> {
  return (async () => call())().then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

test.each(CALLS)('accepts for %s an object with %j', async (_, names, call) => {
  for (const wrong of ['text', 3, null, []]) {
    const error = await refusal(() => call(wrong));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(/^options must be an object, not /);
  }
  for (const name of names) {
    // No option accepts a symbol.
    const error = await refusal(() => call({ [name]: Symbol('wrong') }));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(new RegExp(`^${name} must be .*, not a symbol$`));
  }
});

const SAMPLES: Readonly<Record<string, unknown>> = {
  text: 'text',
  number: 3,
  flag: false,
  function: () => undefined,
  object: {},
  array: [1],
  texts: ['a'],
  set: new Set(),
  bytes,
  blob: new Blob([]),
  source,
  signal: AbortSignal.abort(),
  date: new Date(0),
  null: null,
  undefined,
  'half a source': { size: 1 },
  'a source that is none': { size: 1, read: 1 },
};

test.each<[ArgumentKind, string[]]>([
  ['text', ['text']],
  ['number', ['number']],
  ['flag', ['flag']],
  ['function', ['function']],
  ['object', ['object', 'set', 'blob', 'source', 'signal', 'date', 'half a source', 'a source that is none']],
  ['array', ['array', 'texts']],
  ['list', ['array', 'texts', 'set']],
  ['texts', ['texts']],
  ['bytes', ['bytes']],
  ['document', ['text', 'bytes']],
  ['blob', ['blob']],
  ['source', ['source']],
  ['content', ['bytes', 'source']],
  ['input', ['bytes', 'blob', 'source']],
  ['state', ['text', 'object', 'set', 'blob', 'source', 'signal', 'date', 'half a source', 'a source that is none']],
  ['signal', ['signal']],
  ['date', ['date']],
])('accepts for an argument of kind %s only %j', (kind, accepted) => {
  const taken = Object.entries(SAMPLES).filter(([, value]) => {
    try {
      checkArgument('it', value, kind);
      return true;
    } catch (error) {
      expect((error as Error).message).toMatch(/^it must be \S.*, not \S/);
      return false;
    }
  });
  expect(taken.map(([name]) => name)).toEqual(accepted);
});

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['x', 'a string'],
  [1, 'a number'],
  [{}, 'an object'],
  [[], 'an array'],
  [new Map(), 'a Map'],
  [new Error('x'), 'an Error'],
])('names the wrong value: %s', (value, name) => {
  const expected = new RegExp(`, not ${name}$`);
  expect(() => checkArgument('it', value, 'flag')).toThrow(expected);
});

test.each<[string, Wrong]>([
  ['boot.images', { boot: { images: 'efi' } }],
  ['boot.catalogPath', { boot: { images: [], catalogPath: 3 } }],
  ['hybrid.bootCode', { hybrid: { bootCode: 'code' } }],
])('refuses %s of an image by its full name', async (name, options) => {
  const error = await refusal(() => writeIso([], { volumeId: 'x', ...options }));
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(new RegExp(`^${name.replace('.', '\\.')} must be `));
});
