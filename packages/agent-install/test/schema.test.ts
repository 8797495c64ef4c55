import { schemaFor } from '@coreiso/agent-install/schema';
import { goKey, goYaml, parseYaml, toPlain } from '@coreiso/diagnostics';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';

const goldens = new Goldens(new URL('./goldens/agent-install-config.json', import.meta.url));
const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateFormats: false });
const validate = ajv.compile(schemaFor('install-config'));

function check(text: string): unknown {
  const [document] = parseYaml(text, { flavour: 'go' });
  const root = document.ok ? document.value.root : undefined;
  const numbers: typeof goYaml = (node) => {
    const value = goYaml(node);
    return typeof value === 'bigint' ? Number(value) : value;
  };
  return validate(root && toPlain(root, numbers, goKey)) || validate.errors;
}

test.each([
  ...['ok-ha-baremetal', 'ok-sno-none', 'ok-vsphere-credentials', 'ok-fencing', 'ok-dual-stack-none'],
  ...['ok-unused-fields-warn', 'ok-deprecated-networking', 'platform-oci-ccm'],
])('an editor has nothing against %s', (name) => {
  expect(check(goldens.text(`${name}.yaml`))).toBe(true);
});

test.each([
  ['unknown-field', 'additionalProperties'],
  ['unknown-field-nested', 'additionalProperties'],
  ['wrong-type', 'type'],
  ['bad-cidr', 'pattern'],
  ['arch-rpm-name', 'enum'],
  ['bundle-policy', 'enum'],
])('an editor marks %s', (name, keyword) => {
  expect(check(goldens.text(`${name}.yaml`))).toContainEqual(expect.objectContaining({ keyword }));
});

test.each(['agent-cluster-install', 'cluster-deployment', 'cluster-image-set', 'pull-secret'] as const)(
  'the schema of %s is one',
  (file) => {
    expect(ajv.compile(schemaFor(file))({ kind: 'X', spec: {}, nonsense: 1 })).toBe(false);
  },
);

test('a file without a schema is a mistake of the caller', () => {
  expect(() => schemaFor('toString' as 'pull-secret')).toThrow(RangeError);
});
