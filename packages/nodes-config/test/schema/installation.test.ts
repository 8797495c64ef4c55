import { goYaml, parseYaml, type ScalarNode, toPlain } from '@coreiso/diagnostics';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { schemaFor } from '../../src/schema/schema.ts';
import { siteText } from '../ztp/example.ts';

const goldens = new Goldens(new URL('../goldens/agent-install-config.json', import.meta.url));
const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateFormats: false });
const installConfig = ajv.compile(schemaFor('install-config'));
const ztpSite = ajv.compile(schemaFor('ztp-site'));

function check(text: string, validate = installConfig): unknown {
  const [document] = parseYaml(text, { flavour: 'go' });
  const root = document.ok ? document.value.root : undefined;
  const number = (node: ScalarNode) => {
    const value = goYaml(node);
    return typeof value === 'bigint' ? Number(value) : value;
  };
  return validate(root && toPlain(root, Object.assign(number, { key: goYaml.key }))) || validate.errors;
}

test.each([
  ...['ok-ha-baremetal', 'ok-sno-none', 'ok-vsphere-credentials', 'ok-fencing', 'ok-dual-stack-none'],
  ...['ok-unused-fields-warn', 'ok-deprecated-networking', 'platform-oci-ccm'],
])('an editor accepts %s', (name) => {
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

test('an editor accepts a site for a hub', () => {
  expect(check(siteText(), ztpSite)).toBe(true);
});

test.each<[string, (text: string) => string, string]>([
  ['a misspelt key', (text) => text.replace('ingressVIPs', 'ingresVIPs'), 'additionalProperties'],
  ['a password', (text) => text.replace('  bmc:\n', '  bmc:\n    password: x\n'), 'additionalProperties'],
  ['a host without a controller', (text) => text.replace(/ {2}bmc:\n.*\n/, ''), 'required'],
  ['a platform that there is not', (text) => `${text}platform: metal\n`, 'enum'],
  ['no hosts', (text) => `${text.slice(0, text.indexOf('hosts:\n'))}hosts: []\n`, 'minItems'],
])('an editor marks %s of a site for a hub', (_, change, keyword) => {
  expect(check(siteText(change), ztpSite)).toContainEqual(expect.objectContaining({ keyword }));
});

test.each(['agent-cluster-install', 'cluster-deployment', 'cluster-image-set', 'pull-secret'] as const)(
  'the schema of %s compiles',
  (file) => {
    expect(ajv.compile(schemaFor(file))({ kind: 'X', spec: {}, nonsense: 1 })).toBe(false);
  },
);

test('a file without a schema is refused as a wrong argument', () => {
  expect(() => schemaFor('toString' as 'pull-secret')).toThrow(RangeError);
});
