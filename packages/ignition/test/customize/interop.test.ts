import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { describeWith, output, run } from '../../../../test/support/tools.ts';
import { sampleIso } from '../../../iso/src/sample/index.ts';
import { type CustomizeOptions, customizeOrThrow } from '../../src/customize/index.ts';
import { IgnitionError } from '../../src/errors.ts';

const features = { installerConfig: true, liveInitrdNetwork: true, installerConfigDirectives: { console: true } };
const FLAGS: Partial<Record<keyof CustomizeOptions, string>> = {
  destIgnition: '--dest-ignition',
  destConsole: '--dest-console',
  destKargAppend: '--dest-karg-append',
  destKargDelete: '--dest-karg-delete',
  ignitionCa: '--ignition-ca',
  preInstall: '--pre-install',
  postInstall: '--post-install',
  installerConfig: '--installer-config',
  liveIgnition: '--live-ignition',
};

interface Result {
  readonly stderr: string;
  /** The config with every gzip resource unpacked; order and nulls are as written. */
  readonly config: string | undefined;
}

describeWith(['coreos-installer'], 'coreos-installer and customise', () => {
  let directory = '';
  const goldens = new Goldens(new URL('../goldens/validate.json', import.meta.url));

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'coreiso-'));
    const sample = await sampleIso();
    writeFileSync(join(directory, 'in.iso'), await sample.read(0, sample.size));
    return () => rmSync(directory, { recursive: true });
  });

  function theirs(argv: readonly string[], files: Readonly<Record<string, Uint8Array>>): Result {
    rmSync(join(directory, 'out.iso'), { force: true });
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(directory, name), bytes);
    const env = { RUST_BACKTRACE: '0' };
    const command = ['iso', 'customize', 'in.iso', '-o', 'out.iso', ...argv];
    const { status, stderr } = run('coreos-installer', command, { cwd: directory, env });
    if (status !== 0) return { stderr, config: undefined };
    return {
      stderr,
      config: unpacked(output('coreos-installer', ['iso', 'ignition', 'show', 'out.iso'], { cwd: directory })),
    };
  }

  async function ours(options: CustomizeOptions): Promise<Result> {
    let stderr = '';
    const onMessage = (message: string) => {
      stderr += `${message}\n`;
    };
    try {
      const { changes } = await customizeOrThrow(options, { features, newer: 'refuse', mode: 'compatible', onMessage });
      return { stderr, config: unpacked(changes.ignition ?? new Uint8Array()) };
    } catch (error) {
      if (!(error instanceof IgnitionError)) throw error;
      return { stderr: `${stderr}Error: ${error.message}\n`, config: undefined };
    }
  }

  test('agree on every twentieth recorded config', async () => {
    const names = goldens.paths(/\.ign$/).filter((_, index) => index % 20 === 0);
    for (const name of names) {
      const bytes = goldens.bytes(name);
      if (bytes.length > 100_000) continue;
      const real = theirs(['--live-ignition', 'u.ign'], { 'u.ign': bytes });
      const own = await ours({ liveIgnition: [{ name: 'u.ign', read: () => bytes }] });
      expect(own.config, name).toBe(real.config);
      expect(own.stderr, name).toBe(real.stderr.replace(/\n\nCaused by:[\s\S]*/, '\n'));
    }
  });

  test.each<[string, CustomizeOptions]>([
    [
      'odd kernel arguments',
      { destKargAppend: ['yes', '0x1F', 'a: b', ' x', "it's", 'a\nb\n', '\t', '😀', '', '-', '007'] },
    ],
    ['a device that needs quotes', { destDevice: '/dev/a: b', destConsole: ['ttyS0', 'tty0'] }],
    ['a hint', { destKargAppend: ['console=ttyS0,115200n8', 'console=tty0', 'x'], destKargDelete: ['~'] }],
  ])('write the same for %s', async (_, options) => {
    const argv = Object.entries(options).flatMap(([key, value]) => {
      const flag = key === 'destDevice' ? '--dest-device' : FLAGS[key as keyof CustomizeOptions];
      return [value].flat().map((each) => `${flag}=${each}`);
    });
    expect(await ours(options)).toEqual(theirs(argv, {}));
  });

  test('write the same for all kinds of files at once', async () => {
    const text = (content: string) => new TextEncoder().encode(content);
    const files = {
      'd.ign': text('{"ignition":{"version":"3.2.0"}}'),
      'ca.pem': text('PEM'),
      prepare: text('#!/bin/bash\n'),
      'i.yaml': text('dest-device: /dev/sda\n'),
    };
    const input = (name: keyof typeof files) => [{ name, read: () => files[name] }];
    const options: CustomizeOptions = {
      destIgnition: [...input('d.ign'), ...input('d.ign')],
      ignitionCa: input('ca.pem'),
      preInstall: input('prepare'),
      postInstall: input('prepare'),
      installerConfig: input('i.yaml'),
      liveIgnition: input('d.ign'),
    };
    const argv = Object.entries(options).flatMap(([key, value]) =>
      (value as { name: string }[]).map(({ name }) => `${FLAGS[key as keyof CustomizeOptions]}=${name}`),
    );
    expect(await ours(options)).toEqual(theirs(argv, files));
  });
});

function unpacked(config: Uint8Array): string {
  const text = Buffer.from(config).toString();
  return text.replace(/"data:;base64,(H4sI[A-Za-z0-9+/=]+)"/g, (_, data: string) => {
    return JSON.stringify(unpacked(gunzipSync(Buffer.from(data, 'base64'))));
  });
}
