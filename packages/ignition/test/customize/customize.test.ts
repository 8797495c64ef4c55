import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Customization,
  type CustomizeContext,
  type CustomizeOptions,
  customize,
  customizeOrThrow,
  type NamedInput,
} from '../../src/customize/index.ts';
import { IgnitionError } from '../../src/errors.ts';
import { unpackSource } from '../../src/inspect/contents.ts';
import type { Config } from '../../src/spec/generated/types.ts';

const features = { installerConfig: true, liveInitrdNetwork: true, installerConfigDirectives: { console: true } };
const context: CustomizeContext = { features, mode: 'compatible' };
const input = (name: string, content: string | Uint8Array): NamedInput => ({ name, read: () => content });
const config = (members: object = {}, version = '3.3.0') => JSON.stringify({ ignition: { version }, ...members });
const script = input('prepare', '#!/bin/bash\n');

async function made(options: CustomizeOptions, extra: Partial<CustomizeContext> = {}): Promise<Customization> {
  return customizeOrThrow(options, { ...context, ...extra });
}

function liveConfig({ changes }: Customization): Config {
  return JSON.parse(new TextDecoder().decode(changes.ignition ?? new Uint8Array()));
}

function contentOf(customization: Customization, path: string): string {
  const contents = liveConfig(customization).storage?.files?.find((file) => file.path === path)?.contents;
  return new TextDecoder().decode(unpackSource(contents?.source ?? '', contents?.compression));
}

function firstMerged(customization: Customization): string {
  const [merged] = liveConfig(customization).ignition.config?.merge ?? [];
  return new TextDecoder().decode(unpackSource(merged?.source ?? '', merged?.compression));
}

describe('writes a user config again', () => {
  test.each([
    [
      'members in order of name, absent scalars as null',
      '{"systemd":{"units":[{"name":"a.service"}]},"ignition":{"version":"3.3.0"}}',
      '{"ignition":{"version":"3.3.0"},"systemd":{"units":[{"contents":null,"enabled":null,"mask":null,"name":"a.service"}]}}',
    ],
    [
      'resources of 3.0.0 without compression',
      '{"ignition":{"version":"3.0.0","config":{"merge":[{"source":"http://x.example/"}]}}}',
      '{"ignition":{"config":{"merge":[{"source":"http://x.example/"}]},"version":"3.0.0"}}',
    ],
    [
      'null for a clevis object in 3.2.0 only',
      '{"ignition":{"version":"3.2.0"},"storage":{"luks":[{"name":"l","device":"/d"}]}}',
      '{"ignition":{"version":"3.2.0"},"storage":{"luks":[{"clevis":null,"device":"/d","label":null,"name":"l","uuid":null,"wipeVolume":null}]}}',
    ],
    [
      'null items of noProxy',
      '{"ignition":{"version":"3.3.0","proxy":{"noProxy":[null,"a"]}}}',
      '{"ignition":{"proxy":{"httpProxy":null,"httpsProxy":null,"noProxy":[null,"a"]},"version":"3.3.0"}}',
    ],
    [
      'every digit of a large number',
      '{"ignition":{"version":"3.6.0","timeouts":{"httpTotal":-9223372036854775808}}}',
      '{"ignition":{"timeouts":{"httpResponseHeaders":null,"httpTotal":-9223372036854775808},"version":"3.6.0"}}',
    ],
    [
      'an object written as the list of its members',
      '{"ignition":{"version":"3.6.0"},"systemd":[[["x",null,true,null,"a.service"]]]}',
      '{"ignition":{"version":"3.6.0"},"systemd":{"units":[{"contents":"x","enabled":true,"mask":null,"name":"a.service"}]}}',
    ],
  ])('%s', async (_, text, written) => {
    expect(firstMerged(await made({ liveIgnition: [input('u.ign', text)] }))).toBe(written);
  });

  test('warns about unknown keys with their place', async () => {
    const text = '{"ignition":{"version":"3.3.0"},\n "ä":1,"x":{"deep":[[[]]]}}';
    const outcome = await customize({ liveIgnition: [input('u.ign', text)] }, context);
    expect(outcome.ok && outcome.value.messages).toEqual([
      'Warning parsing u.ign: unused key: $.ä',
      'Warning parsing u.ign: unused key: $.x',
    ]);
    expect(outcome.diagnostics.map(({ code, path, range }) => [code, path, range?.start, range?.end.column])).toEqual([
      ['ignition/unused-key', ['ä'], { offset: 34, line: 2, column: 2 }, 5],
      ['ignition/unused-key', ['x'], { offset: 40, line: 2, column: 8 }, 11],
    ]);
  });

  test('refuses a wrong type at its place', async () => {
    const outcome = await customize({ liveIgnition: [input('u.ign', '{"ignition":\n {"version":3}}')] }, context);
    expect(outcome).toMatchObject({
      ok: false,
      diagnostics: [
        {
          severity: 'error',
          code: 'ignition/invalid-json',
          message: 'parsing Ignition config u.ign: ignition.version: expected a string, not a whole number',
          path: ['ignition', 'version'],
          range: { start: { line: 2, column: 13 } },
        },
      ],
    });
  });

  test('skips extreme nesting and numbers in unknown members, and refuses them in known ones', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const unused = `{"ignition":{"version":"3.3.0"},"deep":${deep},"long":${'9'.repeat(200_000)}}`;
    expect(firstMerged(await made({ liveIgnition: [input('u.ign', unused)] }))).toBe(
      '{"ignition":{"version":"3.3.0"}}',
    );
    const asked = `{"ignition":{"version":"3.3.0"},"storage":{"files":[{"path":"/f","mode":${'9'.repeat(200_000)}}]}}`;
    await expect(made({ liveIgnition: [input('u.ign', asked)] })).rejects.toThrow('parsing Ignition config u.ign');
    const cut = `{"ignition":${'{"a":'.repeat(200_000)}`;
    await expect(made({ liveIgnition: [input('u.ign', cut)] })).rejects.toThrow('parsing Ignition config u.ign');
  });

  test('gives a config or an error for any bytes', async () => {
    const whole = config({ storage: { files: [{ path: '/f', mode: 420, contents: { source: 'data:,ü' } }] } });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.uint8Array({ maxLength: 4 }), fc.nat(6), async (at, bytes, gone) => {
        const text = Buffer.from(whole);
        const damaged = Buffer.concat([text.subarray(0, at), bytes, text.subarray(at + gone)]);
        const outcome = await customize({ liveIgnition: [input('u.ign', damaged)] }, context);
        expect(outcome.ok || outcome.diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
      }),
    );
  });
});

describe('a config of a newer spec', () => {
  const newer = '{ "ignition": { "version": "3.8.0" }, "brandNew": true }';

  test('is embedded unchanged, with a warning', async () => {
    const outcome = await customize(
      { liveIgnition: [input('l.ign', newer)], destIgnition: [input('d.ign', newer)], destDevice: '/dev/sda' },
      context,
    );
    expect(outcome.diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['warning', 'ignition/version-newer'],
      ['warning', 'ignition/version-newer'],
    ]);
    if (!outcome.ok) throw new Error('refused');
    expect(firstMerged(outcome.value)).toBe(newer);
    expect(contentOf(outcome.value, '/etc/coreos/dest.ign')).toBe(newer);
  });

  test.each(['3.7.0', '3.7.0-experimental', '3.8.0'])('is refused on request: %s', async (version) => {
    await expect(
      made({ liveIgnition: [input('l.ign', config({}, version))] }, { newer: 'refuse' }),
    ).rejects.toMatchObject({
      code: 'IGNITION_REFUSED',
      cause: { message: `unsupported config version: ${version}` },
    });
  });

  test.each(['2.3.0', '4.0.0', '3.3.1', '3.3.0-x'])('is refused if it is not newer: %s', async (version) => {
    const attempt = made({ liveIgnition: [input('l.ign', config({}, version))] });
    await expect(attempt).rejects.toMatchObject({ cause: { message: `unsupported config version: ${version}` } });
  });

  test.each([
    '',
    '3',
    '3.3',
    '03.3.0',
    '3.3.99999999999999999999',
    '3.3.0-',
    '3.3.0-01',
    '3.3.0+a..b',
    '3x3.0',
    "3.'.0",
    '3.3.0 ',
  ])('is refused if its version is invalid: %j', async (version) => {
    await expect(made({ liveIgnition: [input('l.ign', config({}, version))] })).rejects.toMatchObject({
      cause: { message: `${JSON.stringify(version)} is not a version such as 3.5.0` },
      diagnostics: [{ fault: { input: 'ignition-version', version } }],
    });
  });

  test.each(['3.3.0-rc.1', '3.3.0+build.007', '3.3.0-0'])('is accepted with version %j', async (version) => {
    const attempt = made({ liveIgnition: [input('l.ign', config({}, version))] });
    await expect(attempt).rejects.toMatchObject({ cause: { message: `unsupported config version: ${version}` } });
  });
});

describe('settings that fail at boot', () => {
  const destIgnition = [input('d.ign', config())];
  const yaml = (text: string) => [input('i.yaml', text)];

  test.each<[string, CustomizeOptions, string]>([
    [
      'a config that Ignition refuses',
      { liveIgnition: [input('l.ign', config({ storage: { files: [{ path: 'relative' }] } }))] },
      'config-refused-at-boot',
    ],
    ['a destination config without a device', { destIgnition }, 'no-destination-device'],
    ['an installer config without a device', { installerConfig: yaml('offline: true') }, 'no-destination-device'],
    [
      'a device named twice',
      { destDevice: '/dev/sda', installerConfig: yaml('dest-device: /dev/sdb') },
      'two-destination-devices',
    ],
    ['a device that is no path', { destDevice: 'sda' }, 'destination-not-a-path'],
    [
      'a destination config and a URL for it',
      { destDevice: '/dev/sda', destIgnition, installerConfig: yaml('ignition-url: https://x.example/') },
      'conflicting-installer-settings',
    ],
    [
      'an image by stream and by file',
      { destDevice: '/dev/sda', installerConfig: yaml('stream: stable\nimage-file: /x') },
      'conflicting-installer-settings',
    ],
    ['a karg that looks like an option', { destDevice: '/dev/sda', destKargAppend: ['-x'] }, 'value-with-leading-dash'],
    ['one to delete', { destDevice: '/dev/sda', destKargDelete: ['-x'] }, 'value-with-leading-dash'],
    [
      'the same in an installer config',
      { destDevice: '/dev/sda', installerConfig: yaml('append-karg: ["-x"]') },
      'value-with-leading-dash',
    ],
    ['a script that nothing starts', { preInstall: [script] }, 'scripts-never-run'],
    [
      'a script without an interpreter',
      { destDevice: '/dev/sda', postInstall: [input('p', 'true\n')] },
      'script-not-executable',
    ],
    ...[
      [0x23],
      [0x23, 0x20],
      [0x7e, 0x45, 0x4c, 0x46],
      [0x7f, 0x44, 0x4c, 0x46],
      [0x7f, 0x45, 0x4d, 0x46],
      [0x7f, 0x45, 0x4c],
    ].map((bytes): [string, CustomizeOptions, string] => [
      `a script that begins with ${bytes}`,
      { destDevice: '/dev/sda', postInstall: [input('p', Uint8Array.from(bytes))] },
      'script-not-executable',
    ]),
    [
      'a script whose name breaks its unit',
      { destDevice: '/dev/sda', preInstall: [input('a b', '#!/bin/sh\n')] },
      'script-name-breaks-unit',
    ],
    [
      'a config whose kernel argument goes',
      { liveIgnition: [input('l.ign', config())], liveKargDelete: ['ignition.firstboot'] },
      'config-disabled-by-kargs',
    ],
  ])('%s is a warning, and an error in strict mode', async (_, options, code) => {
    const outcome = await customize(options, context);
    expect(outcome.ok).toBe(true);
    expect(outcome.diagnostics).toEqual([
      expect.objectContaining({ severity: 'warning', code: `ignition/${code}`, help: expect.stringMatching(/\.$/) }),
    ]);
    const strict = await customize(options, { ...context, mode: 'strict' });
    expect(strict).toEqual({
      ok: false,
      diagnostics: outcome.diagnostics.map((each) => ({ ...each, severity: 'error' })),
    });
    expect(await customize(options, { features })).toEqual(strict);
  });

  test.each<[string, CustomizeOptions]>([
    ['a device and a config', { destDevice: '/dev/sda', destIgnition }],
    ['a device in an installer config', { installerConfig: yaml('dest-device: /dev/sda\nsave-partindex: ["-3"]') }],
    ['a device among the kernel arguments', { destIgnition, liveKargAppend: ['coreos.inst.install_dev=sda'] }],
    ['a script with a device', { destDevice: '/dev/sda', preInstall: [script] }],
    ['a program', { destDevice: '/dev/sda', preInstall: [input('p', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46))] }],
    ['a dash alone', { destDevice: '/dev/sda', destKargAppend: ['-'], destKargDelete: ['a-b'] }],
    [
      'a kernel argument that goes and comes back',
      {
        liveIgnition: [input('l.ign', config())],
        liveKargDelete: ['ignition.firstboot'],
        liveKargAppend: ['a ignition.firstboot'],
      },
    ],
    ['kernel arguments alone', { liveKargDelete: ['ignition.firstboot'] }],
    ['nothing', {}],
  ])('%s is accepted', async (_, options) => {
    expect(await customize(options, { ...context, mode: 'strict' })).toMatchObject({ ok: true, diagnostics: [] });
  });
});

describe('the description', () => {
  test.each<[string, CustomizeOptions, Partial<CustomizeContext>]>([
    ['boots live, logs in on the console', {}, {}],
    ['boots live from the network, stays in the live system', {}, { target: 'pxe' }],
    ['boots live, applies l.ign, stays in the live system', { liveIgnition: [input('l.ign', config())] }, {}],
    ['boots live, overwrites /dev/sda, reboots into the installed system', { destDevice: '/dev/sda' }, {}],
    [
      'boots live, configures the network from eno1.nmconnection, runs prepare, overwrites /dev/sda, reboots into the installed system configured by worker.ign with the same network',
      {
        destDevice: '/dev/sda',
        destIgnition: [input('worker.ign', config())],
        networkKeyfile: [input('d/eno1.nmconnection', '')],
        preInstall: [script],
      },
      {},
    ],
    [
      'boots live, runs the installer, which stops because no destination is named',
      { destIgnition: [input('worker.ign', config())] },
      {},
    ],
    [
      'boots live, starts with changed kernel arguments, trusts ca.pem when Ignition fetches, overwrites /dev/sda, runs prepare, stays in the live system',
      {
        destDevice: '/dev/sda',
        ignitionCa: [input('ca.pem', '')],
        postInstall: [script],
        liveKargAppend: ['coreos.inst.skip_reboot'],
      },
      {},
    ],
  ])('%s', async (description, options, extra) => {
    expect((await made(options, extra)).description).toBe(description);
  });
});

describe('inputs', () => {
  test('are read in the order of upstream, and not after a refusal', async () => {
    const read: string[] = [];
    const spy = (name: string, content = ''): NamedInput => ({
      name,
      async read() {
        read.push(name);
        return content;
      },
    });
    const options: CustomizeOptions = {
      liveIgnition: [spy('live', config())],
      installerConfig: [spy('installer')],
      postInstall: [spy('post')],
      preInstall: [spy('pre')],
      ignitionCa: [spy('ca')],
      networkKeyfile: [spy('a'), spy('a')],
      destIgnition: [spy('dest', config())],
    };
    await expect(made(options)).rejects.toThrow('config already specifies keyfile a');
    expect(read).toEqual(['dest', 'a', 'a']);
    read.length = 0;
    await made({ ...options, networkKeyfile: [spy('a')] });
    expect(read).toEqual(['dest', 'a', 'ca', 'pre', 'post', 'installer', 'live']);
  });

  test('that cannot be read reject with the original error as the cause', async () => {
    const cause = new Error('gone');
    const broken: NamedInput = { name: 'x', read: () => Promise.reject(cause) };
    const attempt = customize({ ignitionCa: [broken] }, context);
    await expect(attempt).rejects.toBeInstanceOf(IgnitionError);
    await expect(attempt).rejects.toMatchObject({ code: 'IGNITION_UNREADABLE_INPUT', message: 'reading x', cause });
  });

  test('are not read after the signal aborts', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(made({ ignitionCa: [script] }, { signal })).rejects.toThrow('enough');
  });

  test.each(['..', '/', '.', 'a/..'])('named %j are refused, because they have no file name', async (name) => {
    await expect(made({ preInstall: [input(name, '')] })).rejects.toThrow(`missing filename in ${name}`);
  });

  test.each([
    ['preInstall', 'a\nExecStartPre=evil'],
    ['postInstall', 'a\rb'],
    ['networkKeyfile', 'a\0.nmconnection'],
    ['installerConfig', `${'x'.repeat(256)}`],
  ])('of `%s` named %j are refused', async (option, name) => {
    const outcome = await customize({ [option]: [input(`dir/${name}`, '')] }, context);
    expect(outcome).toMatchObject({ ok: false, diagnostics: [{ code: 'ignition/unsafe-file-name' }] });
    expect(outcome.diagnostics[0]?.message).toContain(`invalid file name ${JSON.stringify(name)}: it has `);
  });

  test('named with trailing slashes and dots take the name before these', async () => {
    const { changes } = await made({ networkKeyfile: [input('d/./b.nmconnection/./', 'x')] });
    expect(changes.keyfiles.map(({ name }) => name)).toEqual(['b.nmconnection']);
  });

  test('with network states need a generator', async () => {
    await expect(made({ networkNmstate: [input('n.yaml', '')] })).rejects.toBeInstanceOf(TypeError);
  });

  test('refused by the generator are refused with its message', async () => {
    const finding = { severity: 'error' as const, code: 'nmstate/wrong-type', message: 'no', path: ['interfaces'] };
    const toKeyfiles = () => ({ ok: false as const, diagnostics: [finding] });
    await expect(made({ networkNmstate: [input('n.yaml', '')] }, { toKeyfiles })).rejects.toMatchObject({
      message: 'network state n.yaml',
      cause: { message: 'no' },
      diagnostics: [{ path: ['interfaces'], fault: { input: 'network-state', finding } }],
    });
  });

  test('with network states that are not text are refused', async () => {
    const options = { networkNmstate: [input('n.yaml', Uint8Array.of(0xff))] };
    await expect(made(options, { toKeyfiles: () => ({ ok: true, value: [], diagnostics: [] }) })).rejects.toMatchObject(
      {
        cause: { message: 'the text is not UTF-8' },
      },
    );
  });
});

test('sets kernel arguments only if some were requested, starting from the defaults', async () => {
  expect((await made({ liveKargAppend: ['a'], liveKargReplace: ['b=c=d'] })).changes.kargs).toEqual({
    reset: true,
    append: ['a'],
    delete: [],
    replace: ['b=c=d'],
  });
  expect((await made({ destDevice: '/dev/sda' })).changes).not.toHaveProperty('kargs');
});

test.each([{ kargs: false }, { target: 'pxe' as const }])(
  'refuses kernel arguments if there is no place for them: %j',
  async (extra) => {
    await expect(made({ liveKargAppend: ['a'] }, extra)).rejects.toThrow(
      'does not support customizing live kernel arguments',
    );
  },
);

test('gives equal bytes for equal options', async () => {
  const options: CustomizeOptions = {
    destDevice: '/dev/sda',
    destIgnition: [input('d.ign', config())],
    preInstall: [script],
  };
  expect((await made(options)).changes.ignition).toEqual((await made(options)).changes.ignition);
});
