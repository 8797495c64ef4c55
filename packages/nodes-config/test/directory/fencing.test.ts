import { imageFiles, readDirectory } from '@coreiso/nodes-config';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';

const RELEASE = { version: '4.20.3', image: `quay.example.test/ocp/release@sha256:${'5'.repeat(64)}` };
const ADDRESS = 'redfish+https://198.51.100.1:8000/redfish/v1/Systems';
const FOLDER = '/etc/assisted/hostconfig';

/** Two machines with two cards each; the second has no name. */
const AGENT_CONFIG = `apiVersion: v1beta1
rendezvousIP: 192.0.2.51
hosts:
- hostname: lantern-1
  role: master
  interfaces: [{name: eno1, macAddress: "52:54:00:7a:10:01"}, {name: eno2, macAddress: "52:54:00:7a:20:01"}]
- role: master
  interfaces: [{name: eno1, macAddress: "52:54:00:7A:10:02"}, {name: eno2, macAddress: "52:54:00:7A:20:02"}]
`;

/** The files about fencing: path → mode and text. */
function filesFor(...credentials: string[]): Record<string, readonly [number, string]> {
  const entries = credentials.map((who, index) => `    - {${who}, address: "${ADDRESS}/${index + 1}"}\n`).join('');
  const installConfig = `apiVersion: v1
baseDomain: example.test
metadata: {name: lantern}
controlPlane:
  name: master
  replicas: 2
  fencing:
    credentials:
${entries}compute: [{name: worker, replicas: 0}]
networking: {networkType: OVNKubernetes, machineNetwork: [{cidr: 192.0.2.0/24}]}
platform: {baremetal: {apiVIPs: [192.0.2.2], ingressVIPs: [192.0.2.3]}}
pullSecret: '{"auths":{"a.test":{"auth":"eDp5"}}}'
featureSet: TechPreviewNoUpgrade
`;
  const inputs = { 'install-config.yaml': installConfig, 'agent-config.yaml': AGENT_CONFIG };
  const outcome = readDirectory(inputs, { release: RELEASE, mode: 'compatible' });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map(({ message }) => message).join('\n'));
  const files = imageFiles(outcome.value).filter(
    ({ path }) => path.endsWith('/fencing-credentials.yaml') || path.endsWith('/mac_addresses'),
  );
  return Object.fromEntries(files.map(({ path, mode, text }) => [path, [mode, text]]));
}

const KNOWN = {
  [`${FOLDER}/lantern-1/mac_addresses`]: [0o644, '52:54:00:7a:10:01\n52:54:00:7a:20:01\n'],
  [`${FOLDER}/host-1/mac_addresses`]: [0o644, '52:54:00:7a:10:02\n52:54:00:7a:20:02\n'],
};

test('credentials of machines with names are written into one file, with or without other fields', () => {
  const files = filesFor(
    'hostName: lantern-1, username: admin, password: calvin',
    'hostName: lantern-2, macAddress: "52:54:00:7A:10:02", username: root, password: hobbes, certificateVerification: Disabled',
  );
  expect(files).toEqual({
    ...KNOWN,
    [`${FOLDER}/fencing-credentials.yaml`]: [
      0o644,
      `credentials:
- hostname: lantern-1
  username: admin
  password: calvin
  address: ${ADDRESS}/1
- hostname: lantern-2
  macaddress: 52:54:00:7a:10:02
  username: root
  password: hobbes
  address: ${ADDRESS}/2
  certificateVerification: Disabled
`,
    ],
  });
});

test('credentials with a MAC address go to the machine that has it, on any of its cards and in any letter case', () => {
  const files = filesFor(
    'macAddress: "52:54:00:7A:20:01", username: admin, password: calvin',
    'macAddress: "52:54:00:7a:10:02", username: root, password: hobbes',
  );
  const text = (mac: string, user: string, password: string, index: number): string =>
    `credentials:\n- macaddress: ${mac}\n  username: ${user}\n  password: ${password}\n  address: ${ADDRESS}/${index}\n`;
  expect(files).toEqual({
    ...KNOWN,
    [`${FOLDER}/lantern-1/fencing-credentials.yaml`]: [0o644, text('52:54:00:7a:20:01', 'admin', 'calvin', 1)],
    [`${FOLDER}/host-1/fencing-credentials.yaml`]: [0o644, text('52:54:00:7a:10:02', 'root', 'hobbes', 2)],
  });
});

test('machines that are not listed get folders of their own, numbered after the existing ones', () => {
  const files = filesFor(
    'macAddress: "52:54:00:7A:99:01", username: admin, password: calvin',
    'macAddress: "52:54:00:7a:99:02", username: admin, password: calvin',
  );
  expect(files).toMatchObject({
    [`${FOLDER}/host-2/mac_addresses`]: [0o644, '52:54:00:7a:99:01\n'],
    [`${FOLDER}/host-3/mac_addresses`]: [0o644, '52:54:00:7a:99:02\n'],
  });
  expect(
    Object.keys(files)
      .filter((path) => path.endsWith('credentials.yaml'))
      .sort(),
  ).toEqual([`${FOLDER}/host-2/fencing-credentials.yaml`, `${FOLDER}/host-3/fencing-credentials.yaml`]);
});

test.each(['0755', 'yes', 'a: b', '- x', "it's", '#1', '{', 'é "q"'])(
  'another parser reads the password %s',
  (password) => {
    const files = filesFor(
      `hostName: lantern-1, username: admin, password: ${JSON.stringify(password)}`,
      'hostName: lantern-2, username: admin, password: calvin',
    );
    const [, text = ''] = files[`${FOLDER}/fencing-credentials.yaml`] ?? [];
    expect(load(text)).toMatchObject({ credentials: [{ hostname: 'lantern-1', password }, { hostname: 'lantern-2' }] });
  },
);
