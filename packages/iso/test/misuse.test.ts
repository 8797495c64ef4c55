// Wrong arguments from plain JavaScript: each is a TypeError that begins with the parameter's name.

import * as iso from '@coreiso/iso';
import { fetchStream, parseStream, pickStreamFile, readRelease } from '@coreiso/iso/base';
import { createFileServer, entityTag, httpSource, rangeResponse, responseOf } from '@coreiso/iso/http';
import { openIso, writeIso } from '@coreiso/iso/iso9660';
import {
  baseCache,
  fileSource,
  nodeListener,
  patchInPlace,
  recoverImage,
  writeCopy,
  writeStream,
} from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';

// The compiler would reject all of these.
// biome-ignore lint/suspicious/noExplicitAny: the point of this file
type Wrong = any;

const image: Wrong = await iso.openLiveImage(await sampleIso());
const bytes: Wrong = new Uint8Array(9);
const wrong: Wrong = 'text';
const none: Wrong = undefined;
const edit = (changes: Wrong, options?: Wrong) => iso.edit(image, changes, options);

const MISUSES: readonly (readonly [call: string, parameter: string, () => unknown])[] = [
  ['openLiveImage()', 'source', () => iso.openLiveImage(none)],
  ['openLiveImage(path)', 'source', () => iso.openLiveImage(wrong)],
  ['openLiveImage(image, controller)', 'signal', () => iso.openLiveImage(bytes, { signal: wrong })],
  ['edit(promise)', 'image', () => iso.edit(Promise.resolve(image) as Wrong, {})],
  ['edit(image)', 'changes', () => edit(none)],
  ['kargs as text', 'changes.kargs', () => edit({ kargs: wrong })],
  ['one argument as text', 'changes.kargs.append', () => edit({ kargs: { append: 'console=ttyS0' } })],
  ['numbers as arguments', 'changes.kargs.delete', () => edit({ kargs: { delete: [1] } })],
  ['reset as text', 'changes.kargs.reset', () => edit({ kargs: { reset: 'yes' } })],
  ['one replacement as text', 'changes.kargs.replace', () => edit({ kargs: { replace: 'a=b=c' } })],
  ['a misspelt kargs edit', 'changes.kargs.apend', () => edit({ kargs: { apend: ['a'] } })],
  ['a misspelt change', 'changes.ingition', () => edit({ ingition: '{}' })],
  ['a promise of a config', 'changes.ignition', () => edit({ ignition: Promise.resolve('{}') })],
  ['a number as config', 'changes.ignition', () => edit({ ignition: 3 })],
  ['one keyfile', 'changes.keyfiles', () => edit({ keyfiles: { name: 'a', content: '' } })],
  ['a keyfile as text', 'changes.keyfiles[0]', () => edit({ keyfiles: ['a'] })],
  ['a keyfile without a name', 'changes.keyfiles[0].name', () => edit({ keyfiles: [{ content: '' }] })],
  ['a second keyfile as text', 'changes.keyfiles[1]', () => edit({ keyfiles: [{ name: 'a', content: '' }, 'b'] })],
  ['a keyfile without contents', 'changes.keyfiles[0].content', () => edit({ keyfiles: [{ name: 'a' }] })],
  ['one file', 'changes.files', () => edit({ files: { path: 'a', content: '' } })],
  ['a file as text', 'changes.files[0]', () => edit({ files: ['a'] })],
  ['a mode as text', 'changes.files[0].mode', () => edit({ files: [{ path: 'a', content: '', mode: '0644' }] })],
  ['a file without a path', 'changes.files[0].path', () => edit({ files: [{ content: '' }] })],
  ['a file without contents', 'changes.files[0].content', () => edit({ files: [{ path: 'a' }] })],
  ['options as text', 'options', () => edit({}, wrong)],
  ['compression by its name', 'compression', () => edit({}, { compression: 'gzip' })],
  ['grow as text', 'grow', () => edit({}, { grow: 'yes' })],
  ['reset()', 'image', () => iso.reset(none)],
  ['isPristine(source)', 'image', () => iso.isPristine(bytes)],
  ['inspect(path)', 'image', () => iso.inspect(wrong)],
  ['formatInspection(text)', 'inspection', () => iso.formatInspection(wrong)],
  ['formatInspection without problems', 'inspection.problems', () => iso.formatInspection({ oddities: [] } as Wrong)],
  ['formatInspection without oddities', 'inspection.oddities', () => iso.formatInspection({ problems: [] } as Wrong)],
  ['describeGrowth()', 'growth', () => iso.describeGrowth(none)],
  ['diffImages(path, bytes)', 'before', () => iso.diffImages(wrong, bytes)],
  ['diffImages(bytes, path)', 'after', () => iso.diffImages(bytes, wrong)],
  ['verifyImage(path)', 'image', () => iso.verifyImage(wrong)],
  ['extractMinimal()', 'image', () => iso.extractMinimal(none)],
  ['extractMinimal(image, url)', 'options', () => iso.extractMinimal(image, wrong)],
  ['packMinimal without compression', 'compression', () => iso.packMinimal(bytes, bytes, {} as Wrong)],
  ['packMinimal(path, bytes)', 'full', () => iso.packMinimal(wrong, bytes, { compression: iso.gzip })],
  ['packMinimal(bytes, path)', 'minimal', () => iso.packMinimal(bytes, wrong, { compression: iso.gzip })],
  ['pxeFiles(path)', 'image', () => iso.pxeFiles(wrong)],
  ['rootfs(path)', 'image', () => iso.rootfs(wrong)],
  ['wrap(text)', 'changes', () => iso.wrap(wrong)],
  ['openInitramfs(path)', 'source', () => iso.openInitramfs(wrong)],
  ['customizeInitramfs()', 'initramfs', () => iso.customizeInitramfs(none, {})],
  ['customizeInitramfs(bytes)', 'initramfs', () => iso.customizeInitramfs(bytes, {})],
  ['readFiles(path)', 'source', () => iso.readFiles(wrong)],
  ['one pattern as text', 'patterns', () => iso.readFiles(bytes, { patterns: wrong })],
  ['readArchives(path)', 'source', () => iso.readArchives(wrong).next()],
  ['writeArchive(file)', 'files', () => iso.writeArchive({ path: 'a', content: '' } as Wrong).next()],
  ['composeArchive of paths', 'files[0]', () => iso.composeArchive(['a'] as Wrong)],
  ['compose(source)', 'parts', () => iso.compose(bytes)],
  ['compose()', 'parts', () => iso.compose(none)],
  ['compose of texts', 'parts', () => iso.compose([wrong])],
  ['slice(bytes)', 'source', () => iso.slice(bytes, 0, 1)],
  ['overlay(bytes)', 'base', () => iso.overlay(bytes, [])],
  ['overlay with one patch', 'patches', () => iso.overlay(image.source, { offset: 0, bytes } as Wrong)],
  ['a patch without bytes', 'patches', () => iso.overlay(image.source, [{ offset: 0 } as Wrong])],
  ['isOverlay()', 'source', () => iso.isOverlay(none)],
  ['bytesSource(buffer)', 'bytes', () => iso.bytesSource(new ArrayBuffer(3) as Wrong)],
  ['blobSource(bytes)', 'blob', () => iso.blobSource(bytes)],
  ['bytesOf(text)', 'content', () => iso.bytesOf(wrong)],
  ['toReadableStream(bytes)', 'source', () => iso.toReadableStream(bytes)],
  ['a range as text', 'start', () => iso.toReadableStream(image.source, { start: wrong })],
  ['toBlob(bytes)', 'source', () => iso.toBlob(bytes)],
  ['editKargs()', 'kargs', () => iso.editKargs(none, {})],
  ['editKargs with text', 'edit.append', () => iso.editKargs('', { append: wrong })],
  ['openIso(path)', 'source', () => openIso(wrong)],
  ['writeIso(entry)', 'entries', () => writeIso({ path: 'a' } as Wrong, { volumeId: 'x' })],
  ['writeIso without options', 'options', () => writeIso([], none)],
  ['writeIso without a name', 'volumeId', () => writeIso([], {} as Wrong)],
  ['boot images by one path', 'boot.images', () => writeIso([], { volumeId: 'x', boot: { images: wrong } })],
  [
    'a catalogue by number',
    'boot.catalogPath',
    () => writeIso([], { volumeId: 'x', boot: { catalogPath: 3 } as Wrong }),
  ],
  ['boot code as text', 'hybrid.bootCode', () => writeIso([], { volumeId: 'x', hybrid: { bootCode: wrong } })],
  ['an entry as text', 'entries[0]', () => writeIso([wrong], { volumeId: 'x' })],
  ['an entry without a path', 'entries[0].path', () => writeIso([{ kind: 'file' } as Wrong], { volumeId: 'x' })],
  [
    'a file by number',
    'content of a',
    () => writeIso([{ kind: 'file', path: 'a', content: 3 } as Wrong], { volumeId: 'x' }),
  ],
  ['a link to nowhere', 'target of /a', () => writeIso([{ kind: 'symlink', path: 'a' } as Wrong], { volumeId: 'x' })],
  [
    'a date as text',
    'modified',
    () => writeIso([{ kind: 'file', path: 'a', content: '', modified: wrong }], { volumeId: 'x' }),
  ],
  ['list by number', 'path', async () => (await openIso(image.source)).list(3 as Wrong)],
  ['entry by number', 'path', async () => (await openIso(image.source)).entry(3 as Wrong)],
  [
    'an entry without a kind',
    'entries[0].kind',
    () => writeIso([{ path: 'a', content: '' } as Wrong], { volumeId: 'x' }),
  ],
  ['a kind of sample as text', 'options', () => sampleIso(wrong)],
  ['a misspelt option', 'options.kinds', () => sampleIso({ kinds: 'x' } as Wrong)],
  ['writeStream(bytes)', 'source', () => writeStream(bytes, process.stdout)],
  ['writeStream to nothing', 'writable', () => writeStream(image.source, none)],
  ['fileSource()', 'path', () => fileSource(none)],
  ['writeCopy(path, source)', 'source', () => writeCopy(wrong, image.source as Wrong)],
  ['writeCopy without a path', 'path', () => writeCopy(image.source, none)],
  ['a mode of a copy as text', 'mode', () => writeCopy(image.source, '/nowhere', { mode: wrong })],
  ['recoverImage()', 'path', () => recoverImage(none)],
  ['baseCache()', 'directory', () => baseCache(none)],
  ['download of nothing', 'url', () => baseCache('/nowhere').download(none)],
  ['a release of nothing', 'pullspec', () => baseCache('/nowhere').release(none)],
  ['nodeListener()', 'handler', () => nodeListener(none)],
  ['httpSource()', 'url', () => httpSource(none)],
  ['httpSource(path)', 'url', () => httpSource('/images/live.iso')],
  ['httpSource of another scheme', 'url', () => httpSource('ftp://a.example/')],
  ['entityTag(bytes)', 'source', () => entityTag(bytes)],
  ['responseOf()', 'answer', () => responseOf(none, new AbortController().signal)],
  ['responseOf without a signal', 'signal', () => responseOf({ status: 200, headers: {} }, none)],
  ['rangeResponse()', 'request', () => rangeResponse(none, image.source)],
  ['rangeResponse of bytes', 'source', () => rangeResponse(new Request('http://a/'), bytes)],
  ['createFileServer of one file', 'files', () => createFileServer({ name: 'a', open: () => bytes } as Wrong)],
  ['createFileServer of names', 'files', () => createFileServer(['a'] as Wrong)],
  ['createFileServer of a number', 'files.name', () => createFileServer([{ name: 3 } as Wrong])],
  ['createFileServer of bytes', 'files.open', () => createFileServer([{ name: 'a', open: bytes } as Wrong])],
  ['parseStream of a list', 'metadata', () => parseStream([] as Wrong)],
  ['pickStreamFile()', 'stream', () => pickStreamFile(none)],
  ['pickStreamFile of metadata', 'stream.files', () => pickStreamFile({ architectures: {} } as Wrong)],
  ['fetchStream()', 'nameOrUrl', () => fetchStream(none)],
  ['readRelease()', 'pullspec', () => readRelease(none)],
  ['patchInPlace()', 'overlay', () => (patchInPlace as Wrong)()],
  ['patchInPlace of a path', 'file', () => patchInPlace(iso.overlay(image.source, []), wrong)],
];

describe('misuse is a TypeError that names the parameter', () => {
  test.each(MISUSES)('%s: %s', async (_, parameter, call) => {
    const error = await (async () => call())().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toMatch(new RegExp(`^${parameter.replace(/[[\]]/g, '\\$&')} must `));
  });
});

test.each([
  ['text', '{"ignition":{"version":"3.4.0"}}'],
  ['bytes', new TextEncoder().encode('{"ignition":{"version":"3.4.0"}}')],
  ['a source', iso.bytesSource(new TextEncoder().encode('{"ignition":{"version":"3.4.0"}}'))],
  ['an object', { ignition: { version: '3.4.0' } }],
])('accepts a config as %s', async (_, ignition) => {
  const { overlay } = await iso.edit(image, { ignition, files: [{ path: 'etc/motd', content: 'hellø' }] });
  const files = await (await iso.openLiveImage(overlay)).initrd.read();
  const text = (path: string) => new TextDecoder().decode(files.get(path)?.content);
  expect(text(iso.IGNITION_PATH)).toBe('{"ignition":{"version":"3.4.0"}}');
  expect(text('etc/motd')).toBe('hellø');
});

test('opens an image from bytes, a Blob, a source or a reader', async () => {
  const whole = await iso.bytesOf(image.source);
  for (const input of [whole, new Blob([whole]), iso.bytesSource(whole), await openIso(whole)]) {
    const opened = await iso.openLiveImage(input);
    expect(opened.kargs).toEqual(image.kargs);
    expect(opened.initrd.offset).toBe(image.initrd.offset);
    expect((await opened.iso.entry('/images/ignition.img', { view: 'natural' })).size).toBe(image.initrd.length);
  }
});

test('copies bytes shared with another thread, so that platform functions accept the result', async () => {
  const shared = new Uint8Array(new SharedArrayBuffer(4)).fill(5);
  const part = await iso.bytesSource(shared).read(1, 2);
  expect(part.buffer).toBeInstanceOf(ArrayBuffer);
  const accepted: BlobPart = part;
  expect(await new Blob([accepted, await iso.bytesOf(shared)]).text()).toBe('\x05'.repeat(6));
});
