import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { ERRORS, WARNINGS } from '../../src/codes.ts';
import type { ReportEntry } from '../../src/parse/report.ts';
import { SPEC_VERSIONS, type SpecVersion } from '../../src/spec/version.ts';
import { validate } from '../../src/validate/validate.ts';

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const schemas = new Map<SpecVersion, ValidateFunction>();

function schemaOf(version: SpecVersion): ValidateFunction {
  let schema = schemas.get(version);
  if (schema === undefined) {
    const url = new URL(`../../src/spec/generated/${version}.json`, import.meta.url);
    schema = ajv.compile(JSON.parse(readFileSync(url, 'utf8')));
    schemas.set(version, schema);
  }
  return schema;
}

/** Findings that a schema of single fields cannot make, by reason. */
const NOT_EXPRESSIBLE: Record<string, readonly string[]> = {
  'looks at two members or two items': [
    'duplicate-entry',
    'hash-without-source',
    'header-scheme',
    'owner-ambiguous',
    'overwrite-without-source',
    'path-conflicts-with-unit',
    'directory-below-link',
    'file-below-link',
    'link-below-link',
    'hard-link-to-directory',
    'hard-link-owner',
    'partition-numbers-collide',
    'partitions-overlap',
    'partition-label-repeated',
    'partition-absent-with-options',
    'partition-unidentified',
    'raid-spares',
    'clevis-conflict',
    'cex-with-clevis',
    'cex-with-key-file',
    'clevis-pin-required',
    'clevis-pin-unknown',
    'clevis-config-required',
    'filesystem-format-required',
    'filesystem-label-without-format',
    'filesystem-label-length',
    'virtiofs-label',
    'virtiofs-tag-length',
    'virtiofs-uuid',
    'virtiofs-wipe',
    'virtiofs-options',
    'filesystem-over-partitions',
    'filesystem-wiped',
    'unit-without-install',
    'template-without-install',
  ],
  'needs a parser': [
    'url-unparsable',
    's3-version-id',
    's3-arn',
    'data-url',
    'unit-contents',
    'tang-advertisement',
    'key-file-source',
  ],
  'depends on the version of Ignition, not of the config': ['mode-special-bits', 'proxy-insecure'],
};
const inexpressible = new Set(
  Object.values(NOT_EXPRESSIBLE)
    .flat()
    .map((code) => `ignition/${code}`),
);

/** Recordings on which schema and walker have to disagree, by reason. */
const DISAGREEMENTS: Record<string, readonly string[]> = {
  'the documentation demands a name that nobody checks': ['luks-no-name', 'passwd-odd', 'raid-no-name'],
  'early specs demand members in their schema that they do not check': [
    'clevis-custom-empty-3.2',
    'clevis-custom-network-only-3.2',
    'link-no-target-3.0',
  ],
  'null passes for a list and for a text in a list, though no schema says so': [
    'keys-null-lists',
    'keys-null-string-items',
  ],
  'the walker takes schemes in capitals': ['proxy-upper', 'url-arn-upper', 'url-scheme-upper'],
  'the walker counts bytes, a schema characters': [
    'hash-unicode-length',
    'luks-label-unicode-48',
    'part-label-36-bytes-unicode',
  ],
  'a parser drops the first of two members, the walker reads both': [
    'keys-dup-list-leftover',
    'keys-dup-type-error-first',
  ],
  'a device may be a tag in 3.7.0-experimental, but only for virtiofs': ['rule-FS-4-3.7exp', 'rule-FS-5-3.7exp'],
  'JSON.parse has no byte-order mark left to refuse': ['syntax-bom'],
  'a schema takes 420.0 and 1e400 for integers': [
    'type-int-overflow',
    'type-int-underflow',
    'type-mode-exponent',
    'type-mode-float-zero',
  ],
};

const goldens = new Goldens(new URL('../goldens/validate.json', import.meta.url));
interface Judged {
  readonly name: string;
  readonly accepted: boolean;
  readonly diagnostics: readonly ReportEntry[];
}
const judged: Judged[] = goldens.paths(/\.ign$/).flatMap((path) => {
  const bytes = goldens.bytes(path);
  const { diagnostics } = validate(bytes, { newer: 'refuse' });
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return [];
  }
  const version = SPEC_VERSIONS.find(
    (known) => (value as { ignition?: { version?: string } })?.ignition?.version === known,
  );
  if (version === undefined) return [];
  return [{ name: path.replace(/\.ign$/, ''), accepted: schemaOf(version)(value), diagnostics }];
});

test('checks enough recordings', () => {
  expect(judged.length).toBeGreaterThan(1000);
});

test('agrees with the walker except on the listed recordings', () => {
  const disagreeing = judged.filter(({ accepted, diagnostics }) => {
    const expressible = diagnostics.some(({ code }) => !inexpressible.has(code));
    const complains = expressible || diagnostics.some(({ severity }) => severity === 'error');
    return accepted ? expressible : !complains;
  });
  expect(disagreeing.map(({ name }) => name).sort()).toEqual(Object.values(DISAGREEMENTS).flat().sort());
});

test('lists only existing rules as inexpressible', () => {
  const codes = Object.keys({ ...ERRORS, ...WARNINGS }).map((code) => `ignition/${code}`);
  expect([...inexpressible].filter((code) => !codes.includes(code))).toEqual([]);
});
