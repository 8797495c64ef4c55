// Ignition configs: validated, merged, translated, shown, customised, built.
import {
  buildConfig,
  type Config,
  configSize,
  decodeDataUrl,
  file,
  findExpiries,
  formatReport,
  formatSummary,
  merge,
  minimumVersion,
  parseConfig,
  redact,
  resource,
  SPEC_VERSIONS,
  stringifyConfig,
  summarizeConfig,
  translate,
  validate,
  validateConfig,
} from '@coreiso/ignition';
import { type CustomizeOptions, customize } from '@coreiso/ignition/customize';
import { generateKeyfiles } from '@coreiso/nmstate';
import { recorded } from '../goldens.ts';
import { allowed, allowMisuse, assertHolds, jsonOf, type Target, textOf, textsOf } from '../target.ts';

const CONFIGS = () => recorded('packages/ignition/test/goldens/validate.json', /\.ign$/, 3000);
const merges = () =>
  recorded('packages/ignition/test/goldens/merge.json', /\.json$/, 6000).flatMap((text) => {
    const { parent, child } = JSON.parse(text);
    return parent === undefined || child === undefined ? [] : [`${JSON.stringify(parent)}\0${JSON.stringify(child)}`];
  });
const STEPS = { base: 2_000_000, perByte: 4_000 };
const NEWEST = SPEC_VERSIONS.at(-1) ?? '3.0.0';

const readable = (text: string): Config | undefined => {
  const outcome = parseConfig(text);
  return outcome.ok ? outcome.value : undefined;
};

export const targets: readonly Target[] = [
  {
    name: 'ignition/validate',
    shape: 'tree',
    steps: STEPS,
    seeds: CONFIGS,
    run: (input) => {
      const outcome = validate(input);
      formatReport(outcome);
      if (!outcome.ok) return assertHolds(outcome.diagnostics.length > 0, 'a refusal says why');
      // Configs of a newer spec are not checked.
      if (outcome.diagnostics.some(({ code }) => code === 'ignition/version-newer')) return;
      const again = validate(stringifyConfig(outcome.value));
      assertHolds(again.ok, () => `a config that is written is as valid as it was: ${again.diagnostics[0]?.message}`);
      assertHolds(stringifyConfig(again.value) === stringifyConfig(outcome.value), 'a config is read as it is written');
      assertHolds(validateConfig(outcome.value).ok, 'a value is as valid as its text');
    },
  },
  {
    name: 'ignition/merge',
    shape: 'tree',
    steps: STEPS,
    longest: 8192,
    seeds: () => [
      ...merges(),
      ...CONFIGS()
        .slice(0, 30)
        .map((text) => `${text}\0${text}`),
    ],
    run: (input) => {
      const [first = '', second = ''] = textsOf(input);
      const [parent, child] = [readable(first), readable(second)];
      if (parent === undefined || child === undefined) return;
      const before = stringifyConfig(parent);
      const merged = allowed(() => merge(parent, child));
      assertHolds(stringifyConfig(parent) === before, 'a merge leaves its parent alone');
      if (merged === undefined) return;
      assertHolds(readable(stringifyConfig(merged.config)) !== undefined, 'a merged config is a config');
      const { version } = merged.config.ignition;
      const empty = { ignition: { version } } as Config;
      const again = allowed(() => merge(merged.config, empty));
      if (again !== undefined)
        assertHolds(stringifyConfig(again.config) === stringifyConfig(merged.config), 'an empty child changes nothing');
    },
  },
  {
    name: 'ignition/translate',
    shape: 'tree',
    steps: STEPS,
    seeds: CONFIGS,
    run: (input) => {
      const outcome = validate(input);
      if (!outcome.ok) return;
      const config = outcome.value;
      const lowest = allowed(() => minimumVersion(config));
      for (const version of SPEC_VERSIONS) {
        const translated = allowed(() => translate(config, version));
        if (!translated?.ok) continue;
        assertHolds(readable(stringifyConfig(translated.value)) !== undefined, 'a translated config is a config');
        const back = translate(translated.value, NEWEST);
        assertHolds(back.ok, 'what was translated down can be translated up');
      }
      if (lowest !== undefined) assertHolds(translate(config, lowest).ok, 'the lowest version can say the config');
    },
  },
  {
    name: 'ignition/inspect',
    shape: 'tree',
    steps: STEPS,
    seeds: CONFIGS,
    run: (input) => {
      const config = readable(textOf(input));
      if (config === undefined) return;
      formatSummary(summarizeConfig(config), { now: new Date(0) });
      findExpiries(config);
      redact(config);
      configSize(config);
    },
  },
  {
    name: 'ignition/data-url',
    shape: 'text',
    longest: 600,
    seeds: () => [
      'data:,a%20b',
      'data:text/plain;charset=utf-8;base64,YQ==',
      'data:;x="a,b",c',
      `data:${'a/b;'.repeat(3)},%zz`,
    ],
    run: (input) => {
      const bytes = decodeDataUrl(textOf(input));
      if (bytes === undefined) return;
      assertHolds(bytes.length <= input.length, 'a data URL has no more bytes than characters');
      const again = decodeDataUrl(resource(bytes, { compress: 'never' }).source);
      assertHolds(again !== undefined && Buffer.compare(again, bytes) === 0, 'a data URL is read as it is written');
    },
  },
  {
    name: 'ignition/build',
    shape: 'tree',
    steps: STEPS,
    seeds: () => [
      JSON.stringify([
        { path: '/etc/motd', content: 'hello' },
        { path: '/etc/a', content: 'x'.repeat(500), mode: 420, overwrite: true },
      ]),
    ],
    run: async (input) => {
      const list = jsonOf(input);
      if (!Array.isArray(list) || list.length > 20) return;
      const config = await allowMisuse(() =>
        buildConfig({
          files: list.map((one) => {
            const { path, content, ...options } = one ?? {};
            return file(path, content, options);
          }),
        }),
      );
      if (config === undefined) return;
      assertHolds(readable(stringifyConfig(config)) !== undefined, 'a config that is built is a config');
    },
  },
  {
    name: 'ignition/customize',
    shape: 'tree',
    steps: { base: 4_000_000, perByte: 8_000 },
    seeds: () => [
      JSON.stringify({
        destIgnition: ['{"ignition":{"version":"3.3.0"}}'],
        destDevice: '/dev/sda',
        destConsole: ['ttyS0,115200n8'],
        destKargAppend: ['a=b'],
      }),
      JSON.stringify({
        liveIgnition: ['{"ignition":{"version":"3.0.0"},"systemd":{"units":[{"name":"a.service"}]}}'],
        liveKargAppend: ['x'],
        liveKargReplace: ['a=b=c'],
      }),
      JSON.stringify({
        networkNmstate: ['interfaces:\n- name: eth0\n  type: ethernet\n'],
        preInstall: ['#!/bin/sh\n'],
        postInstall: ['x'],
        installerConfig: ['dest-device: /dev/vda\n'],
      }),
      JSON.stringify({
        networkKeyfile: ['[connection]\nid=a\n'],
        ignitionCa: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'],
      }),
    ],
    run: async (input) => {
      const value = jsonOf(input);
      if (typeof value !== 'object' || value === null) return;
      const options = Object.fromEntries(
        Object.entries(value).map(([name, list]) => [name, asInputs(name, list)]),
      ) as CustomizeOptions;
      const features = { installerConfig: true, liveInitrdNetwork: true, installerConfigDirectives: { console: true } };
      for (const mode of ['strict', 'compatible'] as const) {
        const outcome = await allowMisuse(() =>
          customize(options, {
            features,
            kargs: true,
            mode,
            toKeyfiles: (text) => generateKeyfiles(text, { mode: 'compatible' }),
          }),
        );
        if (outcome === undefined) return;
        if (!outcome.ok) assertHolds(outcome.diagnostics.length > 0, 'a refusal says why');
        else if (outcome.value.changes.ignition !== null)
          assertHolds(readable(textOf(outcome.value.changes.ignition)) !== undefined, 'what is embedded is a config');
      }
    },
  },
];

const FILES = /Ignition|Keyfile|Nmstate|Ca$|Install$|Config$/;

/** Replaces files with their contents, and keeps everything else. */
function asInputs(name: string, list: unknown): unknown {
  if (!Array.isArray(list) || !FILES.test(name)) return list;
  return list.map((text, index) => (typeof text === 'string' ? { name: `${index}.ext`, read: () => text } : text));
}
