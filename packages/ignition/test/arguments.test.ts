import { describe, expect, test } from 'vitest';
import { customize } from '../src/customize/index.ts';
import {
  buildConfig,
  type Config,
  decodeDataUrl,
  directory,
  file,
  link,
  merge,
  minimumVersion,
  parseConfig,
  resource,
  stringifyConfig,
  summarizeConfig,
  translate,
  translateOrThrow,
  unit,
  user,
  validate,
  validateConfig,
} from '../src/index.ts';

const config: Config = { ignition: { version: '3.4.0' } };
/** Values that callers without types may pass. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for anything
const wrong = (value: unknown): any => value;

describe('misuse is an error that names the parameter', () => {
  test.each<[parameter: string, call: () => unknown]>([
    ['input', () => validate(wrong(undefined))],
    ['input', () => parseConfig(wrong({ ignition: {} }))],
    ['newer', () => parseConfig('{}', { newer: wrong('ignore') })],
    ['config', () => validateConfig(wrong('{}'))],
    ['config', () => validateConfig(wrong(new Uint8Array()))],
    ['version', () => validateConfig(config, { version: wrong('3.9.0') })],
    ['config', () => translate(wrong(undefined), '3.5.0')],
    ['to', () => translate(config, wrong('3.9.0'))],
    ['from', () => translate(config, '3.5.0', { from: wrong('2.0.0') })],
    ['config', () => minimumVersion(wrong([]))],
    ['parent', () => merge(wrong(null), config)],
    ['child', () => merge(config, wrong('{}'))],
    ['version', () => merge(config, config, { version: wrong('4.0.0') })],
    ['config', () => stringifyConfig(wrong(undefined))],
    ['config', () => summarizeConfig(wrong('{}'))],
    ['parts', () => buildConfig(wrong(undefined))],
    ['files', () => buildConfig({ files: wrong(file('/a', '')) })],
    ['users', () => buildConfig({ users: wrong('core') })],
    ['disks', () => buildConfig({ disks: wrong({}) })],
    ['version', () => buildConfig({ version: wrong('3.99.0') })],
    ['path', () => file(wrong(undefined), 'x')],
    ['content', () => file('/a', wrong(undefined))],
    ['content', () => resource(wrong([1, 2]))],
    ['path', () => directory(wrong(7))],
    ['target', () => link('/a', wrong(undefined))],
    ['name', () => unit(wrong({ name: 'a.service' }))],
    ['name', () => user(wrong(undefined))],
    ['url', () => decodeDataUrl(wrong(undefined))],
  ])('%s', (parameter, call) => {
    const error = thrownBy(call);
    expect(error instanceof TypeError || error instanceof RangeError).toBe(true);
    expect(String(error)).toMatch(new RegExp(`^\\w+: ${parameter} must be `));
  });

  test.each([
    ['options', wrong(undefined), { features: {} }],
    ['context', {}, wrong(undefined)],
    ['features', {}, wrong({})],
    ['mode', {}, wrong({ features: {}, mode: 'lax' })],
    ['liveKargAppend', wrong({ liveKargAppend: 'console=ttyS0' }), { features: {} }],
    ['liveKargAppend', wrong({ liveKargAppend: ['a', false] }), { features: {} }],
    ['destConsole', wrong({ destConsole: [{}] }), { features: {} }],
    ['liveIgnition\\[0]', wrong({ liveIgnition: [null] }), { features: {} }],
    ['liveIgnition\\[0].read', wrong({ liveIgnition: [{ name: 'a.ign' }] }), { features: {} }],
    [
      'preInstall\\[1].name',
      wrong({ preInstall: [{ name: 'a', read: () => '' }, { read: () => '' }] }),
      { features: {} },
    ],
    ['destDevice', wrong({ destDevice: ['/dev/sda'] }), { features: {} }],
  ])('%s of customize', async (parameter, options, context) => {
    await expect(customize(options, context)).rejects.toThrow(new RegExp(`^${parameter} must be `));
  });
});

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a config that cannot be read gives an outcome with findings, or throws', () => {
  test.each<[string, object, string, string]>([
    ['no version', {}, 'ignition/version-unreadable', 'IGNITION_UNKNOWN_VERSION'],
    ['a newer version', { ignition: { version: '3.9.0' } }, 'ignition/version-unsupported', 'IGNITION_UNKNOWN_VERSION'],
    [
      'a number for a version',
      { ignition: { version: 3 } },
      'ignition/version-unsupported',
      'IGNITION_UNKNOWN_VERSION',
    ],
    ['a wrong type', { ignition: { version: '3.4.0' }, storage: [] }, 'ignition/type', 'IGNITION_INVALID'],
  ])('%s', (_, object, diagnosticCode, errorCode) => {
    const given = object as Config;
    const refused = { ok: false, diagnostics: [{ severity: 'error', code: diagnosticCode }] };
    expect(translate(given, '3.0.0')).toMatchObject(refused);
    expect(validateConfig(given)).toMatchObject(refused);
    for (const call of [() => translateOrThrow(given, '3.0.0'), () => minimumVersion(given)]) {
      expect(thrownBy(call)).toMatchObject({ code: errorCode, diagnostics: [{ code: diagnosticCode }] });
    }
  });
});

test('builds configs with disks, RAID, encryption and filesystems', () => {
  const built = buildConfig({
    disks: [{ device: '/dev/vda', partitions: [{ label: 'var', number: 5 }] }],
    raid: [{ name: 'data', level: 'raid1', devices: ['/dev/vdb', '/dev/vdc'] }],
    luks: [{ name: 'secret', device: '/dev/md/data', clevis: { tpm2: true } }],
    filesystems: [{ device: '/dev/mapper/secret', format: 'xfs', path: '/var' }],
  });
  expect(built.ignition.version).toBe('3.2.0');
  expect(Object.keys(built.storage ?? {})).toEqual(['disks', 'filesystems', 'luks', 'raid']);
  expect(validateConfig(built)).toMatchObject({ ok: true, diagnostics: [] });
});
