import fc from 'fast-check';
import { type Member, RAID_LEVELS, SHAPES, type ShapeName, type Span, within } from '../../src/spec/fields.ts';
import type { Config } from '../../src/spec/generated/types.ts';
import { minorOf, type SpecVersion } from '../../src/spec/version.ts';

const TEXTS = [
  'x',
  'y',
  '/a',
  '/a/b',
  '/etc/x.service',
  '/a/../b',
  'a.service',
  'a@.service',
  'a@b.service',
  'c.conf',
  'é:ß',
];
const URLS = ['data:,x', 'data:;base64,!', 'http://h/', 'HTTPS://h', 'gs://b/o', 's3://b/k?versionId=', 'ftp://h', '%'];
const PATHS = ['/', '/a', '/a/b', '/a/b/c', '/l', '/l/x', '/etc/systemd/system/a.service', 'relative', '/x//y'];
const UNITS = ['', '[Unit]\nA=b\n', '[Install]\nWantedBy=x\n', '[Install]\n', '[Unit', '[Unit]\nx\n', 'junk'];

/** Configs of one version with every documented member, with good and bad values. */
export function arbitraryConfig(version: SpecVersion): fc.Arbitrary<Config> {
  const minor = minorOf(version);
  const object = (shape: ShapeName): fc.Arbitrary<Record<string, unknown>> => {
    const members = Object.entries(SHAPES[shape].members).filter(([, member]) => (member.since ?? 0) <= minor);
    const required = members.filter(([, member]) => member.required !== undefined).map(([name]) => name);
    const model = Object.fromEntries(members.map(([name, member]) => [name, arbitraryMember(name, member)]));
    return fc.record(model, { requiredKeys: required });
  };
  const arbitraryMember = (name: string, member: Member): fc.Arbitrary<unknown> => {
    const item = value(name, member);
    if (member.list === undefined) return item;
    return fc.array(item, { minLength: member.minItems ?? 0, maxLength: 2 });
  };
  const known = (values: Readonly<Record<string, Span>>): string[] =>
    Object.keys(values).filter((each) => within(values[each], minor));
  const value = (name: string, member: Member): fc.Arbitrary<unknown> => {
    if (name === 'version') return fc.constant(version);
    if (name === 'level') return fc.constantFrom(...RAID_LEVELS, 'raid7');
    if (name === 'contents' && member.type === 'string') return fc.constantFrom(...UNITS);
    if (member.values !== undefined) return fc.constantFrom(...known(member.values), 'unknown');
    if (member.schemes !== undefined) return fc.constantFrom(...URLS);
    if (member.patterns !== undefined) return fc.constantFrom(...PATHS);
    switch (member.type) {
      case 'string':
        return fc.constantFrom(...TEXTS, ...(member.required === undefined ? [''] : []));
      case 'integer':
        return fc.constantFrom(0, 1, 2, 420, 0o4755, 0o7777, 0o10000, -1, 2 ** 40);
      case 'boolean':
        return fc.boolean();
      default:
        return object(member.type);
    }
  };
  return object('Config') as unknown as fc.Arbitrary<Config>;
}
