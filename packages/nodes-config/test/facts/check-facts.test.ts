import { type ClusterFacts, isUpstream, parseNodesConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { releaseEntry } from '../../../openshift/src/join/service/release-entry.ts';

import { clusterName } from '../../src/facts/check-facts.ts';

import { pullSecretFault } from '../../src/facts/pull-secret.ts';
import { dividedImage, mirroredRegistries, releaseImageMirror } from '../../src/facts/release.ts';
import { distinctCertificates, trustBundleProblem } from '../../src/facts/trust-bundle.ts';

const HOSTS = 'hosts:\n- interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]\n';
const DIGEST = `sha256:${'0a'.repeat(32)}`;

/** Findings as `code path line`, upstream's marked. */
function findings(cluster: ClusterFacts, text = HOSTS): string[] {
  return parseNodesConfig(text, { cluster }).diagnostics.map((one) => {
    const place = one.range === undefined ? '' : ` at line ${one.range.start.line}`;
    return `${isUpstream(one) ? '' : 'later '}${one.code.replace('nodes-config/', '')} [${one.path.join('.')}]${place}`;
  });
}

const MASTER = { name: 'a', architecture: 'amd64', master: true };
const authority = (source: string | null, merge: readonly { source: string | null }[] = []): ClusterFacts => ({
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge },
      security: { tls: { certificateAuthorities: [{ source }] } },
    },
  },
});

describe('errors of a cluster are reported without a place in the text', () => {
  test.each<[string, ClusterFacts, string[]]>([
    ['nothing is known', {}, []],
    ['no node is of the control plane', { nodes: [{ name: 'w', architecture: 'amd64' }] }, ['cluster-architecture []']],
    ['there is no node', { nodes: [] }, ['cluster-architecture []']],
    ['the first node of the control plane decides', { nodes: [{ name: 'w', architecture: 'mips' }, MASTER] }, []],
    [
      'it has another architecture than images',
      { nodes: [{ ...MASTER, architecture: 'mips' }] },
      ['architecture [cpuArchitecture]'],
    ],
    ['an authority that is no data URL', authority('plain'), ['worker-user-data []']],
    ['an authority without a source', authority(null), ['worker-user-data []']],
    ['an authority and nothing to merge', authority('data:,x'), ['worker-user-data []']],
    ['an authority and an empty address', authority('data:,x', [{ source: '' }]), ['worker-user-data []']],
    ['an authority and an address', authority('data:,x', [{ source: 'https://x.test' }]), []],
    ['a platform that nobody knows', { platform: 'Mars' }, ['platform []']],
    ['a platform that objects of JavaScript know', { platform: 'toString' }, ['platform []']],
    ['no platform', { platform: '' }, ['platform []']],
    ['an address without the name of the cluster', { apiServerUrl: 'https://reef.test' }, ['api-server-url []']],
    ['an empty pull secret', { pullSecret: '' }, ['pull-secret []']],
    ['a pull secret of nothing', { pullSecret: '{}' }, ['pull-secret []']],
    [
      'both kinds of mirrors',
      { imageDigestMirrors: [{ source: 'a' }], repositoryDigestMirrors: [{ source: 'b' }] },
      ['mirrors []'],
    ],
    ['one kind', { imageDigestMirrors: [{ source: 'a' }], repositoryDigestMirrors: [] }, []],
    ['the other kind', { imageDigestMirrors: [], repositoryDigestMirrors: [{ source: 'a' }] }, []],
    ['a release image by digest', { releaseImage: `r.test/ocp@${DIGEST}` }, []],
    ['by a digest that is too short', { releaseImage: `r.test/ocp@${DIGEST.slice(0, -1)}` }, ['release-image []']],
    ['by a tag with two parts', { releaseImage: 'r.test/ocp:4.20' }, []],
    ['by a tag with one', { releaseImage: 'r.test/ocp:latest' }, ['release-image []']],
    ['without either', { releaseImage: 'r.test/ocp' }, ['release-image []']],
    ['no certificates', { trustBundle: '' }, []],
    ['certificates that are none', { trustBundle: 'x' }, ['trust-bundle []']],
  ])('%s', (_, cluster, expected) => {
    expect(findings(cluster)).toEqual(expected);
  });

  test('a written architecture replaces the cluster\u2019s', () => {
    expect(findings({ nodes: [] }, `cpuArchitecture: amd64\n${HOSTS}`)).toEqual([]);
  });

  test('the first error that ends the inspection is the installer\u2019s; later errors are reported, too', () => {
    const cluster = { nodes: [], platform: 'Mars', apiServerUrl: '', pullSecret: '{}', trustBundle: 'x' };
    expect(findings(cluster)).toEqual([
      'cluster-architecture []',
      ...['platform', 'api-server-url', 'pull-secret', 'trust-bundle'].map((code) => `later ${code} []`),
    ]);
  });
});

describe('nodes are added', () => {
  const SUPPORTED = ['BareMetal', 'VSphere', 'Nutanix', 'None', 'External'];

  test.each(SUPPORTED)('on %s', (platform) => {
    expect(findings({ platform })).toEqual([]);
  });

  test.each([
    ['AWS', 'aws'],
    ['Azure', 'azure'],
    ['GCP', 'gcp'],
    ['IBMCloud', 'ibmcloud'],
    ['OpenStack', 'openstack'],
    ['PowerVS', 'powervs'],
  ])('not on %s', (platform, name) => {
    const { diagnostics } = parseNodesConfig(HOSTS, { cluster: { platform } });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `platform: Unsupported value: "${name}": supported values: "baremetal", "vsphere", "nutanix", "none", "external"`,
    ]);
    expect(findings({ platform })).toEqual(['platform [cpuArchitecture]']);
  });

  test.each(['ppc64le', 's390x'])('for %s only without a platform', (architecture) => {
    const text = `cpuArchitecture: ${architecture}\n${HOSTS}`;
    for (const platform of SUPPORTED) {
      const isBare = platform === 'None';
      expect(findings({ platform }, text)).toEqual(isBare ? [] : ['platform [cpuArchitecture] at line 1']);
      const nodes = [{ ...MASTER, architecture }];
      expect(findings({ platform, nodes })).toEqual(isBare ? [] : ['platform [cpuArchitecture]']);
    }
    expect(findings({ platform: 'BareMetal' }, `cpuArchitecture: arm64\n${HOSTS}`)).toEqual([]);
  });
});

test.each([
  ['https://api.reef.example.test:6443', 'reef'],
  ['https://api.reef.example.test', 'reef'],
  ['HTTPS://user@api.reef.example.test:6443/path', 'reef'],
  ['https://api.reef.example.test?query', 'reef'],
  ['https://api.reef.example.test:#fragment', 'reef'],
  ['https://api.reef.', 'reef'],
])('the API %s names the cluster %s', (url, name) => {
  expect(clusterName(url)).toEqual({ name });
});

test.each([
  ['', 'cannot get cluster name: API DNS name is empty'],
  ['api.reef.example.test:6443', 'cannot get cluster name: API DNS name is empty'],
  ['https://:6443', 'cannot get cluster name: API DNS name is empty'],
  ['https://api.reef.test:http', 'parse "https://api.reef.test:http": invalid port ":http" after host'],
  ['//api.reef', 'cannot get cluster name from API DNS name: api.reef'],
  ['https://api.reef', 'cannot get cluster name from API DNS name: api.reef'],
  ['https://api..test', 'cannot get cluster name from API DNS name: api..test'],
  ['https://xapi.reef.test', 'cannot get cluster name from API DNS name: xapi.reef.test'],
  ['https://[2001:db8::1]:6443', 'cannot get cluster name from API DNS name: 2001:db8::1'],
  ['https://[2001:db8::1]', 'cannot get cluster name from API DNS name: 2001:db8::1'],
])('%s does not name the cluster', (url, problem) => {
  expect(clusterName(url)).toEqual({ problem });
});

describe('a pull secret', () => {
  const lacking = '"<redacted>" requires either auth or credsStore';
  const field = 'Go struct field imagePullSecret.auths of type';

  test.each([
    ['null', 'auths required'],
    ['{}', 'auths required'],
    ['{"auths":null}', 'auths required'],
    ['{"auths":{}}', 'auths required'],
    ['[]', 'json: cannot unmarshal array into Go value of type validate.imagePullSecret'],
    ['7', 'json: cannot unmarshal number into Go value of type validate.imagePullSecret'],
    ['true', 'json: cannot unmarshal bool into Go value of type validate.imagePullSecret'],
    ['"x"', 'json: cannot unmarshal string into Go value of type validate.imagePullSecret'],
    ['{"auths":[]}', `json: cannot unmarshal array into ${field} map[string]map[string]interface {}`],
    ['{"auths":false}', `json: cannot unmarshal bool into ${field} map[string]map[string]interface {}`],
    ['{"auths":{"a":1}}', `json: cannot unmarshal number into ${field} map[string]interface {}`],
    ['{"auths":{"a":[]}}', `json: cannot unmarshal array into ${field} map[string]interface {}`],
    ['{"auths":{"a":null}}', lacking],
    ['{"auths":{"a":{"auth":"x"},"b":{}}}', lacking],
    ['{"auths":{"a":{},"b":{"auth":"x"},"c":null}}', `[${lacking}, ${lacking}]`],
    ['{"auths":{"a":{"auth":"x"}},"AUTHS":{}}', 'auths required'],
  ])('%s is refused in the installer\u2019s words', (text, message) => {
    expect(pullSecretFault(text)?.message).toBe(message);
  });

  test.each([
    '{"auths":{"a":{"auth":"x"}}}',
    '{"Auths":{"a":{"credsStore":"x"}}}',
    '{"auths":{},"AUTHS":{"a":{"auth":""}}}',
  ])('%s is accepted', (text) => {
    expect(pullSecretFault(text)).toBeUndefined();
  });

  test('is reported by entries and positions, never with its text', () => {
    const manifests = ['{"auths":{"a":{},"b":{"auth":"x"},"c":null}}', '{"auths" 1}', ''].map(
      (text) => pullSecretFault(text)?.help,
    );
    expect(manifests).toEqual([
      'Give entry 1 and 3 of `auths` an `auth`, or remove it.',
      expect.stringMatching(/^Take the text .* It is not JSON at character 10\.$/),
      expect.stringMatching(/^Take the text .* It is not JSON at character 1\.$/),
    ]);
  });
});

describe('a release image', () => {
  const image = `a.test/ocp@${DIGEST}`;

  test.each([
    [image, { source: 'a.test/ocp', version: `@${DIGEST}` }],
    ['a.test/ocp:4.20', { source: 'a.test/ocp', version: ':4.20' }],
    ['a.test:5000/ocp:4.20', { source: 'a.test', version: ':5000/ocp:4.20' }],
    ['a.test/ocp', { source: 'a.test/ocp', version: '' }],
    ['a.test/ocp:', { source: 'a.test/ocp:', version: '' }],
  ])('%s is split as the installer splits it', (text, parts) => {
    expect(dividedImage(text)).toEqual(parts);
  });

  test('is found at the first mirror of its own repository', () => {
    const mirrors = [
      { source: 'other.test/ocp', mirrors: ['x.test'] },
      { source: 'a.test/ocp', mirrors: ['b.test', 'c.test'] },
    ];
    expect(releaseImageMirror(image, mirrors)).toBe(`b.test@${DIGEST}`);
    expect(releaseImageMirror(image, [{ source: 'a.test/ocp' }])).toBe('');
    expect(releaseImageMirror(image, [{ source: 'a.test/ocp', mirrors: [] }])).toBe('');
    expect(releaseImageMirror(image, [{ source: 'a.test', mirrors: ['b.test'] }])).toBe('');
  });

  test('has the version of its tag, or the cluster\u2019s if it has a digest', () => {
    const entry = { cpu_architecture: 'x86_64', cpu_architectures: ['x86_64'] };
    expect(releaseEntry(image, '4.20.3', 'x86_64')).toEqual({
      ...entry,
      ...{ url: image, openshift_version: '4.20.3', version: '4.20.3' },
    });
    const tagged = 'a.test/ocp:4.21.0-rc.1-x86_64';
    expect(releaseEntry(tagged, '4.20.3', 'x86_64')).toEqual({
      ...entry,
      ...{ url: tagged, openshift_version: '4.21', version: '4.21.0-rc.1' },
    });
  });

  test('has mirrored registries that are listed once, unless the text already contains them', () => {
    expect(mirroredRegistries([])).toBe('');
    const sources = ['long.a.test/x', 'a.test/x', 'b.test', 'b.test/y', '/z'].map((source) => ({ source }));
    expect(mirroredRegistries(sources)).toBe('long.a.test,b.test');
  });
});

describe('a trust bundle', () => {
  /** A DER sequence with these bytes in it, in PEM. */
  const pem = (...der: number[]): string =>
    `-----BEGIN CERTIFICATE-----\n${btoa(String.fromCharCode(...der))}\n-----END CERTIFICATE-----\n`;
  const one = pem(0x30, 1, 7);
  const two = pem(0x30, 1, 8);

  test.each([
    ['certificates', one + two, undefined],
    ['certificates without a line end at the end', one.trimEnd(), undefined],
    ['a certificate with nothing in it', pem(0x30, 0), 'no-certificate'],
    ['something else in DER', pem(0x31, 1, 7), 'no-certificate'],
    ['a certificate and more in one block', pem(0x30, 1, 7, 0x30, 1, 7), 'no-certificate'],
    ['one certificate among others that is none', one + pem(0x31, 1, 7), 'no-certificate'],
    ['text', 'hello', 'no-pem'],
    ['text behind certificates', `${one}hello`, 'no-pem'],
    ['two line ends behind certificates', `${one}\n\n`, 'no-pem'],
    ['as many characters as the service takes', one.padStart(65_535, '\n'), undefined],
    ['more than that', one.padStart(65_536, '\n'), 'too-long'],
  ])('of %s', (_, bundle, kind) => {
    expect(trustBundleProblem(bundle)?.kind).toBe(kind);
  });

  test('has each trimmed certificate once', () => {
    expect(distinctCertificates(`${one}\n${two} ${one}`)).toBe(`${one}\n${two}`);
    expect(distinctCertificates('')).toBe('');
  });
});
