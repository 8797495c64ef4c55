// Places of findings: the installer names the path of a field in its message, and coreiso's range has to be that
// field in the user's text.
import { type Diagnostic, formatPath, type Path } from '@coreiso/diagnostics';
import { parseInstallConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import { CODES } from '../src/text/codes.ts';
import { caseNames, parseRecorded } from './replay/nodes-config.ts';

const goldens = (name: string): Goldens => new Goldens(new URL(`goldens/${name}.json`, import.meta.url));

interface Told {
  readonly name: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Computed for the first test that uses it, and kept. */
function once(make: () => Told[]): () => readonly Told[] {
  let made: readonly Told[] | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const MODES = ['compatible', 'strict'] as const;

const installConfigs = once(() => {
  const recordings = goldens('agent-install-config');
  return recordings.paths(/\.yaml$/).flatMap((path) => {
    const text = recordings.text(path);
    return MODES.map((mode) => ({ name: `${path} (${mode})`, text, ...parseInstallConfig(text, { mode }) }));
  });
});

const nodesConfigs = once(() => {
  const recordings = goldens('nodes-config');
  return caseNames(recordings).flatMap((name) => {
    const text = recordings.text(`${name}.yaml`);
    return MODES.map((mode) => ({ name: `${name} (${mode})`, text, ...parseRecorded(recordings, name, mode) }));
  });
});

/** The start of an installer's message that names a field. */
const FIELD =
  /^([a-zA-Z][\w.[\]"'/-]*): (?:Invalid value|Required value|Unsupported value|Forbidden|Duplicate value|Too )/;

/** Fields that the installer gives another name, or names less exactly than coreiso. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'arbiter.platform': 'arbiter',
  additionalEnabledCapabilities: 'capabilities.additionalEnabledCapabilities',
  capabilities: 'capabilities.additionalEnabledCapabilities',
  'platform.none.fencingCredentials': 'controlPlane.fencing',
  'controlPlane.fencing.credentials[0][CertificateVerification]':
    'controlPlane.fencing.credentials[0].certificateVerification',
  platform: 'platform.vsphere',
  'compute.replicas': 'compute',
  'platform.baremetal.apiVIPs': 'platform.baremetal.apiVIPs[0]',
};

test('a finding about an install config has the path of the field that the installer names', () => {
  const fields = installConfigs().flatMap(({ name, diagnostics }) =>
    diagnostics.flatMap(({ message, path }) => {
      const [, field] = FIELD.exec(message) ?? [];
      return field === undefined ? [] : [{ name, field, path: formatPath(path) }];
    }),
  );
  expect(fields.length).toBeGreaterThan(300);
  const astray = fields.filter(({ field, path }) => path !== field && path !== ELSEWHERE[field]);
  expect(astray).toEqual([]);
});

test('a finding about an ignored value has the path that the installer names', () => {
  const ignored = installConfigs().flatMap(({ diagnostics }) =>
    diagnostics.flatMap(({ message, path }) => {
      const [, field] = /^([\w.[\]]+)(?:: .*)? is ignored$/s.exec(message) ?? [];
      return field === undefined ? [] : [[field, formatPath(path)]];
    }),
  );
  expect(ignored.length).toBeGreaterThan(20);
  for (const [field, path] of ignored) expect(path).toBe(field);
});

describe.each([
  ['install configs', installConfigs],
  ['nodes-configs and their relatives', nodesConfigs],
])('findings about %s', (_, told) => {
  const all = () => told().flatMap(({ name, text, diagnostics }) => diagnostics.map((one) => ({ name, text, ...one })));

  test('have a code of this package, or of one that it uses', () => {
    const codes = new Set(all().map(({ code }) => code));
    const own = new Set(Object.keys(CODES).map((rule) => `nodes-config/${rule}`));
    const strange = [...codes].filter(
      (code) => !own.has(code) && !/^(?:nmstate|diagnostics|ignition)\/[a-z]/.test(code),
    );
    expect(strange).toEqual([]);
    expect(codes.size).toBeGreaterThan(20);
  });

  test('have help without blanks around it', () => {
    for (const { help } of all()) if (help !== undefined) expect(help).toMatch(/^\S[\s\S]*\S$/);
  });

  test('have a range in the text, on the key at the end of their path', () => {
    let named = 0;
    for (const { name, text, path, range, message } of all()) {
      if (range === undefined) continue;
      const { start, end } = range;
      expect([name, start.offset <= end.offset && end.offset <= text.length], message).toEqual([name, true]);
      expect(text.slice(0, start.offset).split('\n')).toHaveLength(start.line);
      if (keyBefore(text, start.offset, path)) named++;
    }
    expect(named / all().length).toBeGreaterThan(0.5);
  });
});

/** Whether the line at an offset contains the last key of the path. */
function keyBefore(text: string, offset: number, path: Path): boolean {
  const key = path.findLast((step) => typeof step === 'string');
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? '';
  return typeof key === 'string' && line.includes(key);
}
