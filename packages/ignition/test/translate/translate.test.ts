import { describe, expect, test } from 'vitest';
import type { Config, Storage } from '../../src/spec/generated/types.ts';
import { SPEC_VERSIONS, type SpecVersion } from '../../src/spec/version.ts';
import { minimumVersion, translate, translateOrThrow } from '../../src/translate/translate.ts';

const withStorage = (storage: Storage, version: SpecVersion = '3.6.0'): Config => ({ ignition: { version }, storage });
const luks = { name: 'root', device: '/dev/sda1' };

describe('the minimum version', () => {
  test.each<[string, SpecVersion, Config]>([
    ['nothing', '3.0.0', { ignition: { version: '3.6.0' } }],
    ['a plain file', '3.0.0', withStorage({ files: [{ path: '/a', mode: 420, contents: { source: 'data:,x' } }] })],
    [
      'an empty new object',
      '3.0.0',
      { ignition: { version: '3.6.0', proxy: {} }, kernelArguments: { shouldExist: [] } },
    ],
    ['a proxy', '3.1.0', { ignition: { version: '3.6.0', proxy: { httpProxy: 'http://p' } } }],
    [
      'a sha256 hash',
      '3.1.0',
      withStorage({
        files: [{ path: '/a', contents: { source: 'data:,x', verification: { hash: `sha256-${'0'.repeat(64)}` } } }],
      }),
    ],
    ['a gs URL', '3.2.0', withStorage({ files: [{ path: '/a', contents: { source: 'gs://b/o' } }] })],
    ['an encrypted volume', '3.2.0', withStorage({ luks: [luks] })],
    ['a filesystem of format none', '3.3.0', withStorage({ filesystems: [{ device: '/dev/sda', format: 'none' }] })],
    ['kernel arguments', '3.3.0', { ignition: { version: '3.6.0' }, kernelArguments: { shouldExist: ['a'] } }],
    ['discard', '3.4.0', withStorage({ luks: [{ ...luks, discard: true }] })],
    [
      'an advertisement',
      '3.4.0',
      withStorage({
        luks: [{ ...luks, clevis: { tang: [{ url: 'http://t', thumbprint: 't', advertisement: '{}' }] } }],
      }),
    ],
    ['cex', '3.5.0', withStorage({ luks: [{ ...luks, cex: { enabled: true } }] })],
    ['a setuid file', '3.6.0', withStorage({ files: [{ path: '/a', mode: 0o4755 }] })],
    ['setuid bits that have no effect', '3.0.0', withStorage({ files: [{ path: '/a', mode: 0o4755 }] }, '3.5.0')],
    [
      'a pin of any name',
      '3.6.0',
      withStorage({ luks: [{ ...luks, clevis: { custom: { pin: 'z', config: '{}' } } }] }),
    ],
    [
      'virtiofs',
      '3.7.0-experimental',
      withStorage({ filesystems: [{ device: 'tag', format: 'virtiofs' }] }, '3.7.0-experimental'),
    ],
  ])('of %s is %s', (_, version, config) => {
    expect(minimumVersion(config)).toBe(version);
    expect(translateOrThrow(config, version).ignition.version).toBe(version);
    for (const lower of SPEC_VERSIONS.slice(0, SPEC_VERSIONS.indexOf(version))) {
      expect(translate(config, lower).ok).toBe(false);
    }
  });
});

test('names each unsupported member in a refusal', () => {
  const config = withStorage({ luks: [{ ...luks, discard: true, cex: { enabled: true } }] });
  const outcome = translate(config, '3.3.0');
  expect(outcome.ok).toBe(false);
  expect(outcome.diagnostics.map(({ code, message, path }) => [code, path.join('.'), message])).toEqual([
    ['ignition/not-expressible', 'storage.luks.0.cex', 'cex does not exist before spec version 3.5.0'],
    ['ignition/not-expressible', 'storage.luks.0.discard', 'discard does not exist before spec version 3.4.0'],
  ]);
  expect(() => translateOrThrow(config, '3.3.0')).toThrow(
    expect.objectContaining({ code: 'IGNITION_NOT_EXPRESSIBLE' }),
  );
});

test('warns about losses on the way up, and can keep advertisements', () => {
  const tang = { url: 'http://t', thumbprint: 't', advertisement: '{}' };
  const config = withStorage(
    { luks: [{ ...luks, clevis: { tang: [tang] } }], files: [{ path: '/a', mode: 0o2644 }] },
    '3.4.0',
  );
  const lossy = translate(config, '3.6.0');
  expect(lossy.diagnostics.map(({ severity, code, path }) => [severity, code, path.join('.')])).toEqual([
    ['warning', 'ignition/advertisement-dropped', 'storage.luks.0.clevis.tang.0.advertisement'],
    ['warning', 'ignition/mode-bits-cleared', 'storage.files.0.mode'],
  ]);
  const kept = translateOrThrow(config, '3.6.0', { keepAdvertisements: true });
  expect(kept.storage?.luks?.[0]?.clevis?.tang).toEqual([tang]);
});

test('does not change the input', () => {
  const config = withStorage({ files: [{ path: '/a', mode: 0o4755 }] }, '3.5.0');
  const copy = structuredClone(config);
  translate(config, '3.6.0');
  expect(config).toEqual(copy);
});
