import { describe, expect, test } from 'vitest';
import { schemaFor } from '../../src/schema/schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Every field of a schema, one line each: its path, its type, and its constraints. */
function fields(schema: Schema, path = ''): string[] {
  const required = (schema['required'] ?? []) as string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const items = field['items'] as Schema | undefined;
    const { $ref } = ((field['allOf'] ?? []) as Schema[])[0] ?? {};
    const marks = [
      items === undefined ? (field['type'] ?? $ref ?? 'anything') : `list of ${items['type']}`,
      ...(required.includes(name) ? ['required'] : []),
      ...(field['minItems'] === undefined ? [] : [`at least ${field['minItems']}`]),
      ...(field['enum'] === undefined ? [] : [(field['enum'] as string[]).join('|')]),
      ...(field['pattern'] === undefined ? [] : [field['pattern']]),
      ...(field['additionalProperties'] === undefined || field['additionalProperties'] === false
        ? []
        : [`of ${(field['additionalProperties'] as Schema)['type']}`]),
    ];
    return [
      `${at}: ${marks.join(' ')}`,
      ...fields(field, at),
      ...(items === undefined ? [] : fields(items, `${at}[]`)),
    ];
  });
}

const METADATA = `metadata: object
metadata.name: string
metadata.generateName: string
metadata.namespace: string
metadata.selfLink: string
metadata.uid: string
metadata.resourceVersion: string
metadata.generation: integer
metadata.creationTimestamp: anything
metadata.deletionTimestamp: anything
metadata.deletionGracePeriodSeconds: anything
metadata.labels: object of string
metadata.annotations: object of string
metadata.ownerReferences: anything
metadata.finalizers: list of string
metadata.managedFields: anything`;

const HOST = `hosts[].hostname: string
hosts[].role: string master|worker|arbiter
hosts[].rootDeviceHints: object
hosts[].rootDeviceHints.deviceName: string ^/dev/(disk/by-path/)?[^/]+$
hosts[].rootDeviceHints.hctl: string
hosts[].rootDeviceHints.model: string
hosts[].rootDeviceHints.vendor: string
hosts[].rootDeviceHints.serialNumber: string
hosts[].rootDeviceHints.minSizeGigabytes: integer
hosts[].rootDeviceHints.wwn: string
hosts[].rootDeviceHints.wwnWithExtension: string
hosts[].rootDeviceHints.wwnVendorExtension: string
hosts[].rootDeviceHints.rotational: boolean
hosts[].interfaces: list of object required at least 1
hosts[].interfaces[].name: string
hosts[].interfaces[].macAddress: string required ^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$
hosts[].networkConfig: #/definitions/NetworkState
hosts[].bmc: object
hosts[].bmc.username: string
hosts[].bmc.password: string
hosts[].bmc.address: string
hosts[].bmc.disableCertificateVerification: boolean`;

const TYPE = 'apiVersion: string\nkind: string';
const ARCHITECTURES = 'amd64|arm64|ppc64le|s390x|x86_64|aarch64';

const EXPECTED = {
  'nodes-config': `${TYPE}
${METADATA}
cpuArchitecture: string ${ARCHITECTURES}
sshKey: string
bootArtifactsBaseURL: string
hosts: list of object required at least 1
${HOST}`,
  'agent-config': `apiVersion: string required v1beta1|v1alpha1
kind: string
${METADATA}
additionalNTPSources: list of string
rendezvousIP: string
bootArtifactsBaseURL: string
hosts: list of object
${HOST}
minimalISO: boolean`,
  nmstateconfig: `${TYPE}
${METADATA}
spec: object
spec.interfaces: list of object required at least 1
spec.interfaces[].name: string
spec.interfaces[].macAddress: string required ^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$
spec.config: #/definitions/NetworkState
status: anything`,
  infraenv: `${TYPE}
${METADATA}
spec: object
spec.proxy: object
spec.proxy.httpProxy: string
spec.proxy.httpsProxy: string
spec.proxy.noProxy: string
spec.additionalNTPSources: list of string
spec.ntpSources: list of string
spec.sshAuthorizedKey: string
spec.pullSecretRef: object
spec.pullSecretRef.name: string
spec.agentLabels: object of string
spec.nmStateConfigLabelSelector: object
spec.nmStateConfigLabelSelector.matchLabels: object of string
spec.nmStateConfigLabelSelector.matchExpressions: anything
spec.clusterRef: object
spec.clusterRef.name: string
spec.clusterRef.namespace: string
spec.ignitionConfigOverride: string
spec.cpuArchitecture: string ${ARCHITECTURES}
spec.kernelArguments: list of object
spec.kernelArguments[].operation: string append|replace|delete
spec.kernelArguments[].value: string
spec.additionalTrustBundle: string
spec.osImageVersion: string
spec.ipxeScriptType: string
spec.imageType: string
spec.mirrorRegistryRef: object
spec.mirrorRegistryRef.name: string
spec.mirrorRegistryRef.namespace: string
spec.agentApproval: object
spec.agentApproval.autoApprove: boolean
spec.networkDiscoveryDelaySeconds: integer
status: anything`,
} as const;

describe('the fields of a document, as an editor shows them', () => {
  test.each(Object.entries(EXPECTED))('%s', (kind, expected) => {
    const schema = schemaFor(kind as keyof typeof EXPECTED);
    expect(fields(schema).join('\n')).toBe(expected);
    expect(schema).toMatchObject({ title: kind, type: 'object', additionalProperties: false });
    expect(schema).toMatchObject({
      $schema: expect.stringContaining('draft-07'),
      definitions: { NetworkState: { type: 'object' } },
    });
  });

  test('have descriptions, and no others are allowed', () => {
    const check = (schema: Schema): void => {
      expect(schema['description']).toMatch(/^.+\.$/);
      if (schema['properties'] === undefined) return;
      expect(schema['additionalProperties']).toBe(false);
      for (const field of Object.values(schema['properties'] as Record<string, Schema>)) check(field);
    };
    for (const kind of Object.keys(EXPECTED)) check(schemaFor(kind as keyof typeof EXPECTED));
  });
});
