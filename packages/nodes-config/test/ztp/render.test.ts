import { goYaml, parseYaml, toPlain, valueOrThrow } from '@coreiso/diagnostics';
import {
  parseInfraEnvOrThrow,
  parseNMStateConfigOrThrow,
  parseZtpSite,
  parseZtpSiteOrThrow,
  readDirectory,
  renderZtpSite,
  type ZtpSite,
} from '@coreiso/nodes-config';
import { memberOf, textOf } from '@coreiso/peers/members';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { expectReadAlike } from '../../../../test/support/js-yaml.ts';

import { siteText } from './example.ts';

const site = parseZtpSiteOrThrow(siteText());
const files = renderZtpSite(site);

const HOSTS = ['master-0', 'master-1', 'master-2', 'worker-0', 'worker-1', 'far-0'];

function objectOf(name: string): unknown {
  const [document] = parseYaml(files[name] ?? '', { flavour: 'go' });
  const { root } = valueOrThrow(document);
  return root && toPlain(root, goYaml);
}

test('a site with a remote worker is rendered to these files', () => {
  expect(Object.keys(files)).toEqual([
    '00-namespace.yaml',
    '01-provisioning.yaml',
    '02-service-settings.yaml',
    '03-agentserviceconfig.yaml',
    '10-clusterimageset.yaml',
    '11-clusterdeployment.yaml',
    '12-extra-manifests.yaml',
    '13-agentclusterinstall.yaml',
    '14-infraenv.yaml',
    ...HOSTS.map((name) => `15-nmstateconfig-${name}.yaml`),
    ...HOSTS.map((name) => `16-baremetalhost-${name}.yaml`),
  ]);
  for (const text of Object.values(files)) expect(text).toMatch(/^# \S.*\.\napiVersion: /);
});

test.each(Object.keys(files))('js-yaml reads %s as coreiso does', (name) => {
  expectReadAlike(files[name] ?? '');
});

test('only the remote worker boots without keepalived and joins the pool of remote workers', () => {
  expect(site.hosts.filter(({ isRemote }) => isRemote).map(({ host }) => host.hostname)).toEqual(['far-0']);
  const annotations = memberOf(objectOf('16-baremetalhost-far-0.yaml'), 'metadata', 'annotations');
  const override = JSON.parse(textOf(annotations, 'bmac.agent-install.openshift.io/ignition-config-overrides'));
  expect(override.storage.files).toMatchObject([
    { path: '/etc/kubernetes/manifests/keepalived.yaml', overwrite: true, contents: { source: 'data:,' } },
  ]);
  expect(annotations).toMatchObject({
    'bmac.agent-install.openshift.io/hostname': 'far-0',
    'bmac.agent-install.openshift.io/role': 'worker',
    'bmac.agent-install.openshift.io.node-label.node-role.kubernetes.io/remote-worker': '',
  });
  expect(files['16-baremetalhost-worker-0.yaml']).not.toMatch(/ignition-config-overrides|remote-worker/);
});

test('BareMetalHosts name the Secrets of their controllers', () => {
  expect(objectOf('16-baremetalhost-far-0.yaml')).toMatchObject({
    metadata: { namespace: 'reef', labels: { 'infraenvs.agent-install.openshift.io': 'reef' } },
    spec: {
      online: true,
      bootMACAddress: '52:54:00:00:01:05',
      bmc: { address: 'redfish-virtualmedia://198.51.100.95/redfish/v1/Systems/1', credentialsName: 'far-0-bmc' },
      rootDeviceHints: { deviceName: '/dev/sda' },
    },
  });
});

test('the new cluster gets the manifests of the site and those that protect remote workers', () => {
  expect(Object.keys(memberOf(objectOf('12-extra-manifests.yaml'), 'data') as object).sort()).toEqual([
    '50-chrony.yaml',
    'ingresscontroller-default.yaml',
    'machineconfig-50-remote-worker-no-keepalived.yaml',
    'machineconfigpool-remote-worker.yaml',
  ]);
  expect(objectOf('13-agentclusterinstall.yaml')).toMatchObject({
    spec: { manifestsConfigMapRefs: [{ name: 'reef-extra-manifests' }] },
  });
});

test('the settings of the service name the validations to skip', () => {
  expect(objectOf('02-service-settings.yaml')).toMatchObject({
    metadata: { name: 'assisted-service-remote-workers', namespace: 'multicluster-engine' },
    data: { DISABLED_HOST_VALIDATIONS: 'belongs-to-majority-group,belongs-to-machine-cidr' },
  });
  expect(objectOf('03-agentserviceconfig.yaml')).toMatchObject({
    metadata: {
      annotations: {
        'unsupported.agent-install.openshift.io/assisted-service-configmap': 'assisted-service-remote-workers',
      },
    },
  });
});

describe('the storage of the service', () => {
  const configOf = (change: (text: string) => string) =>
    load(renderZtpSite(parseZtpSiteOrThrow(siteText(change)))['03-agentserviceconfig.yaml'] ?? '') as object;

  test('has the class and the sizes that the site names', () => {
    const config = configOf((t) =>
      t.replace(
        'service:\n',
        'service:\n  storageClassName: lvms-vg1\n  databaseStorage: 20Gi\n  filesystemStorage: 200Gi\n',
      ),
    );
    const claim = (storage: string) => ({ resources: { requests: { storage } }, storageClassName: 'lvms-vg1' });
    expect(config).toMatchObject({
      spec: { databaseStorage: claim('20Gi'), filesystemStorage: claim('200Gi'), imageStorage: claim('50Gi') },
    });
  });

  test('has the default class if the site names none', () => {
    expect(JSON.stringify(configOf((t) => t))).not.toContain('storageClassName');
  });

  test('comes with the address of a live image\u2019s root file system', () => {
    const rootFSUrl = 'https://mirror.example.test/rootfs.img';
    const config = configOf((t) => t.replace(/( +)url: .*\n/, `$&$1rootFSUrl: ${rootFSUrl}\n`));
    expect(config).toMatchObject({ spec: { osImages: [{ rootFSUrl }] } });
  });
});

test('without remote workers these objects are absent', () => {
  const near = renderZtpSite(parseZtpSiteOrThrow(siteText((text) => text.replaceAll('198.51.100', '192.0.2'))));
  expect(near['02-service-settings.yaml']).toBeUndefined();
  expect(Object.values(near).join('')).not.toMatch(/remote-worker|keepalived|DISABLED/);
  expect(near['12-extra-manifests.yaml']).toContain('50-chrony');
});

describe('rendered objects that are read again', () => {
  test('give the same profiles', () => {
    for (const { host } of site.hosts) {
      const [item] = parseNMStateConfigOrThrow(files[`15-nmstateconfig-${host.hostname}.yaml`] ?? '').items;
      expect(item?.config?.profiles).toEqual(host.networkConfig?.profiles);
      expect(item?.config?.profiles.length).toBeGreaterThan(0);
      expect(item?.interfaces.map(({ macAddress }) => macAddress)).toEqual(
        host.interfaces.map(({ macAddress }) => macAddress),
      );
    }
    expect(parseInfraEnvOrThrow(files['14-infraenv.yaml'] ?? '').nmStateConfigLabels).toEqual({
      'infraenvs.agent-install.openshift.io': 'reef',
    });
  });

  test('are valid as ready-made manifests of the agent-based installer', () => {
    const networks = Object.entries(files).filter(([name]) => name.startsWith('15-'));
    const secret = {
      kind: 'Secret',
      metadata: { name: 'pull-secret' },
      stringData: { '.dockerconfigjson': '{"auths":{"quay.example.test":{"auth":"YTpi"}}}' },
    };
    const manifests = {
      'agent-cluster-install': files['13-agentclusterinstall.yaml'],
      'cluster-deployment': files['11-clusterdeployment.yaml'],
      'cluster-image-set': files['10-clusterimageset.yaml'],
      infraenv: files['14-infraenv.yaml'],
      nmstateconfig: networks.map(([, text]) => text).join('---\n'),
      'pull-secret': JSON.stringify(secret),
    };
    const given = Object.fromEntries(
      Object.entries(manifests).map(([name, text]) => [`cluster-manifests/${name}.yaml`, text ?? '']),
    );
    const release = { version: '4.20.3', image: `quay.example.test/ocp/release@sha256:${'0'.repeat(64)}` };
    const directory = readDirectory(given, { release, version: release.version });
    expect(directory.diagnostics).toEqual([]);
    if (!directory.ok) throw new Error('refused');
    expect(directory.value.networks).toHaveLength(6);
    expect(directory.value.clusterInstall.counts).toEqual({ controlPlane: 3, arbiter: 0, worker: 3 });
    expect(directory.value.domain).toBe('reef.example.test');
  });
});

test('a wrong argument is refused with the name of the parameter', () => {
  expect(() => renderZtpSite({} as ZtpSite)).toThrow(
    new TypeError('site must be what parseZtpSite returns as its value'),
  );
});

test('a manifest of the site replaces the placement of the routers', () => {
  const own = `extraManifests:
  routers.yaml: |
    apiVersion: operator.openshift.io/v1
    kind: IngressController
    metadata: {name: default, namespace: openshift-ingress-operator}
    spec: {nodePlacement: {nodeSelector: {matchLabels: {site: harbor}}}}
`;
  const rendered = renderZtpSite(parseZtpSiteOrThrow(siteText((text) => text.replace('extraManifests:\n', own))));
  expect(rendered['12-extra-manifests.yaml']).not.toContain('ingresscontroller-default');
  expect(rendered['12-extra-manifests.yaml']).toContain('site: harbor');
});

describe('a value that the service or an operator would refuse is refused at its line', () => {
  test.each<[string, (text: string) => string, RegExp, string]>([
    ['a misspelt key', (t) => t.replace('ingressVIPs', 'ingresVIPs'), /unknown field/, 'ingresVIPs'],
    ['a password', (t) => t.replace('  bmc:\n', '  bmc:\n    password: hunter2\n'), /unknown field/, 'password'],
    ['no hosts', (t) => `${t.slice(0, t.indexOf('hosts:\n'))}hosts: []\n`, /a cluster needs hosts/, 'hosts:'],
    [
      'a host without a name',
      (t) => t.replace('- hostname: far-0\n  role', '- role'),
      /without a name/,
      'role: worker',
    ],
    ['a name in capitals', (t) => t.replace('hostname: far-0', 'hostname: Far_0'), /cannot be the name/, 'Far_0'],
    ['a host without a role', (t) => t.replace('  role: worker\n', ''), /machines of each role/, 'hostname: worker-0'],
    ['IPMI', (t) => t.replace('redfish-virtualmedia://198', 'ipmi://198'), /requires provisioning network/, 'ipmi'],
    ['no controller', (t) => t.replace(/ {2}bmc:\n.*Systems\/1\n/, ''), /missing BMC address/, 'hostname: master-0'],
    [
      'a user in an address',
      (t) => t.replace('media://198', 'media://root:calvin@198'),
      /user or a password/,
      'calvin',
    ],
    ['two hosts of one controller', (t) => t.replace('192.0.2.91/', '192.0.2.90/'), /of another host/, '2.90'],
    [
      'a card that is not there',
      (t) => t.replace('  role: worker\n', '  role: worker\n  bootMACAddress: 52:54:00:99:99:99\n'),
      /belongs to no interface of the host/,
      '99:99:99',
    ],
    [
      'a remote master',
      (t) => t.replace('  role: master\n', '  role: master\n  remote: true\n'),
      /only workers/,
      'remote',
    ],
    [
      'a label that is none',
      (t) => t.replace('  role: worker\n', '  role: worker\n  nodeLabels: {"a b": c}\n'),
      /not a label of Kubernetes/,
      '"a b"',
    ],
    [
      'an override that is no config',
      (t) => t.replace('  role: worker\n', "  role: worker\n  ignitionConfigOverride: '{}'\n"),
      /not an Ignition config/,
      "'{}'",
    ],
    [
      'a virtual address elsewhere',
      (t) => t.replace('apiVIPs: [192.0.2.5]', 'apiVIPs: [10.9.9.9]'),
      /apiVIPs/,
      'apiVIPs',
    ],
    ['networks that overlap', (t) => t.replace('172.30.0.0/16', '10.129.0.0/16'), /overlap/, '10.128.0.0/14'],
    [
      'two masters',
      (t) => t.replace('role: master', 'role: worker'),
      /1, 3, 4 or 5 machines, not 2/,
      'hostname: master-0',
    ],
    [
      'a virtual address on a host',
      (t) => t.replace('ip: 192.0.2.20', 'ip: 192.0.2.5'),
      /the virtual address/,
      '192.0.2.5',
    ],
    [
      'a master elsewhere',
      (t) => t.replace('ip: 192.0.2.20', 'ip: 10.0.0.20'),
      /outside every machine network/,
      'interfaces:',
    ],
    [
      'a namespace with a dot',
      (t) => t.replace('  name: reef\n', '  name: reef\n  namespace: a.b\n'),
      /name of a namespace/,
      'a.b',
    ],
    ['a version cut short', (t) => t.replace('4.20.3', '"4.20"'), /not a version of OpenShift/, '"4.20"'],
    [
      'no image of that version',
      (t) => t.replace('openshiftVersion: "4.20"', 'openshiftVersion: "4.19"'),
      /no live image/,
      '"4.19"',
    ],
    [
      'no address of a root file system',
      (t) => t.replace(/( +)url: .*\n/, '$&$1rootFSUrl: rootfs.img\n'),
      /rootFSUrl of a live image/,
      'rootFSUrl',
    ],
    [
      'a storage class that is none',
      (t) => t.replace('service:\n', 'service:\n  storageClassName: My Class\n'),
      /not the name of a storage class/,
      'My Class',
    ],
    ['no address of an image', (t) => t.replace('https://mirror', 'mirror'), /url of a live image/, 'url'],
    [
      'storage without a number',
      (t) => t.replace('service:\n', 'service:\n  imageStorage: much\n'),
      /not a quantity/,
      'much',
    ],
    [
      'a manifest that is none',
      (t) => t.replace('    kind: MachineConfig\n', ''),
      /not a Kubernetes object/,
      '50-chrony',
    ],
    [
      'a name that is none',
      (t) => t.replace('50-chrony.yaml:', '50 chrony:'),
      /not the name of a manifest/,
      '50 chrony',
    ],
    [
      'a Node with labels',
      (t) =>
        t.replace(/ {4}kind: MachineConfig\n.*\n/, '    kind: Node\n    metadata: {name: far-0, labels: {a: b}}\n'),
      /a Node far-0 among the manifests/,
      '50-chrony',
    ],
    ['a network that nmstate refuses', (t) => t.replace('dhcp: false', 'dhpc: false'), /dhpc/, 'dhpc'],
  ])('%s', (_, change, message, place) => {
    const text = siteText(change);
    const outcome = parseZtpSite(text);
    const found = outcome.diagnostics.find((one) => message.test(one.message));
    expect(outcome.diagnostics.map((one) => one.message).join('\n')).toMatch(message);
    expect(outcome.ok).toBe(false);
    expect(found?.severity).toBe('error');
    expect(found?.help).toMatch(/[.?]$/);
    const line = text.split('\n')[(found?.range?.start.line ?? 0) - 1];
    expect(line).toContain(place);
  });

  test('routers with conditions other than equal labels', () => {
    const text = siteText((t) =>
      t.replace(
        'extraManifests:\n',
        `extraManifests:
  routers.yaml: |
    apiVersion: operator.openshift.io/v1
    kind: IngressController
    metadata: {name: default, namespace: openshift-ingress-operator}
    spec: {nodePlacement: {nodeSelector: {matchExpressions: [{key: far, operator: DoesNotExist}]}}}
`,
      ),
    );
    const { ok, diagnostics } = parseZtpSite(text);
    expect(ok).toBe(false);
    expect(diagnostics.map(({ code }) => code)).toContain('nodes-config/node-expressions');
  });

  test('no secret is quoted', () => {
    const { diagnostics } = parseZtpSite(
      siteText((t) =>
        t.replace('  bmc:\n', '  bmc:\n    password: hunter2\n').replace('media://198', 'media://root:calvin@198'),
      ),
    );
    expect(JSON.stringify(diagnostics)).not.toMatch(/hunter2|calvin/);
    expect(JSON.stringify(diagnostics)).toContain('oc create secret generic');
  });
});

test('problems in the surroundings of hosts are warnings', () => {
  const text = siteText((t) => t.replace(/ {4}routes:\n(?: {6}.*\n)+(?![\s\S]* {4}routes)/, ''));
  const { ok, diagnostics } = parseZtpSite(text);
  expect(ok).toBe(true);
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'nodes-config/no-default-route' }]);
});
