import { goYaml, parseYaml, type ScalarNode, toPlain } from '@coreiso/diagnostics';
import { detectKind } from '@coreiso/nodes-config';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';

import { schemaFor } from '../../src/schema/schema.ts';

const goldens = new Goldens(new URL('../goldens/nodes-config.json', import.meta.url));
const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateFormats: false });
const KINDS = ['nodes-config', 'agent-config', 'nmstateconfig', 'infraenv'] as const;
const validators = new Map(KINDS.map((kind) => [kind, ajv.compile(schemaFor(kind))]));

function validate(kind: (typeof KINDS)[number], text: string): unknown {
  const [document] = parseYaml(text, { flavour: 'go' });
  const root = document.ok ? document.value.root : undefined;
  const data =
    root &&
    toPlain(
      root,
      Object.assign(
        (node: ScalarNode) => {
          const value = goYaml(node);
          return typeof value === 'bigint' ? Number(value) : value;
        },
        { key: goYaml.key },
      ),
    );
  const check = validators.get(kind);
  return check?.(data) || check?.errors;
}

describe('the schemas for editors', () => {
  test.each([
    ['nodes-config', 'every-field'],
    ['nodes-config', 'hint-by-path'],
    ['nodes-config', 'net-bond'],
    ['nodes-config', 'bmc-full'],
    ['agent-config', 'agent-ntp-good'],
    ['nmstateconfig', 'nmsc-one'],
    ['infraenv', 'infraenv-full'],
  ] as const)('%s accepts %s', (kind, name) => {
    expect(validate(kind, goldens.text(`${name}.yaml`))).toBe(true);
  });

  test.each([
    ['nodes-config', 'unknown-top'],
    ['nodes-config', 'unknown-host'],
    ['nodes-config', 'hosts-missing'],
    ['nodes-config', 'hosts-empty-list'],
    ['nodes-config', 'mac-dash'],
    ['nodes-config', 'role-infra'],
    ['nodes-config', 'hint-by-id'],
    ['nodes-config', 'hostname-int'],
    ['nodes-config', 'net-bad-state'],
    ['agent-config', 'agent-version-missing'],
    ['agent-config', 'agent-unknown-top'],
    ['nmstateconfig', 'nmsc-unknown-field'],
    ['infraenv', 'infraenv-unknown'],
  ] as const)('%s refuses %s', (kind, name) => {
    expect(validate(kind, goldens.text(`${name}.yaml`))).not.toBe(true);
  });

  test('an unknown kind is refused', () => {
    expect(() => schemaFor('butane' as 'infraenv')).toThrow(RangeError);
  });
});

describe('the kind of a document', () => {
  test.each([
    ['nodes-config', 'every-field'],
    ['nodes-config', 'empty-file'],
    ['nodes-config', 'unclosed-quote'],
    ['agent-config', 'agent-minimal'],
    ['agent-config', 'agent-host-errors'],
    ['nmstateconfig', 'nmsc-one'],
    ['nmstateconfig', 'nmsc-kind-unchecked'],
    ['infraenv', 'infraenv-full'],
  ])('%s is the kind of %s', (kind, name) => {
    expect(detectKind(goldens.bytes(`${name}.yaml`))).toBe(kind);
  });
});
