import type { Unit } from '@coreiso/ignition';
import { describe, expect, test } from 'vitest';

import { serviceConfig } from '../../src/join/service/service-config.ts';
import type { ServiceSettings } from '../../src/join/service/service-settings.ts';
import { SITE } from './service-site.ts';

interface Container {
  readonly name?: string;
  readonly user?: string;
  readonly restart?: string;
  readonly mounts?: readonly string[];
  readonly env?: readonly string[];
  readonly files?: readonly string[];
  readonly image?: string;
  readonly command: string;
}

const MIRROR = 'OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR=mirror.example.test:5000/ocp@sha256:55';
const TLS = '/opt/agent/tls:/opt/agent/tls:z';
const CONTAINERS = '/etc/containers:/etc/containers:z';
const MANIFESTS = '/etc/assisted/manifests:/manifests:z';
const EXTRA_MANIFESTS = '/etc/assisted/extra-manifests:/extra-manifests:z';
const IN_CONTAINER = '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem:z';
const OWN_BUNDLE = `/etc/pki/ca-trust/source/anchors/domain.crt:${IN_CONTAINER}`;
const CLIENT = '/usr/local/bin/agent-installer-client';
const SHARE = '/usr/local/share/assisted-service';

/** Values of upstream's containers, by the unit that starts them. */
const EXPECTED: Readonly<Record<string, Container>> = {
  'agent-import-cluster.service': {
    mounts: ['/etc/assisted/clusterconfig:/clusterconfig:z', MANIFESTS, EXTRA_MANIFESTS, CONTAINERS, OWN_BUNDLE],
    env: ['SERVICE_BASE_URL', MIRROR, 'CLUSTER_ID', 'CLUSTER_NAME', 'CLUSTER_API_VIP_DNS_NAME', 'USER_AUTH_TOKEN'],
    command: `${CLIENT} importCluster`,
  },
  'agent-register-cluster.service': {
    mounts: [MANIFESTS, EXTRA_MANIFESTS, CONTAINERS, OWN_BUNDLE],
    env: ['SERVICE_BASE_URL', MIRROR, 'USER_AUTH_TOKEN'],
    command: `${CLIENT} registerCluster`,
  },
  'agent-register-infraenv.service': {
    mounts: [MANIFESTS],
    env: ['SERVICE_BASE_URL', 'IMAGE_TYPE_ISO=full-iso', 'USER_AUTH_TOKEN'],
    command: `${CLIENT} registerInfraEnv`,
  },
  'agent-ui.service': { env: ['AIUI_APP_API_URL', 'AIUI_URL'], image: '$INSTALLER_UI_IMAGE', command: '' },
  'apply-host-config.service': {
    mounts: ['/etc/assisted/hostconfig:/etc/assisted/hostconfig:z', '%t/agent-installer:/var/run/agent-installer:z'],
    env: ['SERVICE_BASE_URL', 'INFRA_ENV_ID', 'WORKFLOW_TYPE', 'USER_AUTH_TOKEN'],
    restart: 'on-failure:10',
    command: `${CLIENT} configure`,
  },
  'assisted-service-db.service': {
    name: 'assisted-db',
    user: 'postgres',
    files: [`${SHARE}/assisted-db.env`],
    command: '/bin/bash start_db.sh',
  },
  'assisted-service.service': {
    name: 'service',
    mounts: [TLS, CONTAINERS, OWN_BUNDLE],
    files: [
      '/etc/assisted/rendezvous-host.env',
      `${SHARE}/assisted-service.env`,
      `${SHARE}/images.env`,
      '/etc/assisted/node0',
      `${SHARE}/agent-images.env`,
    ],
    command: '',
  },
};

/** The only container that a unit starts, and the steps before and after. */
function containerOf({ contents = '' }: Unit) {
  const lines = contents.split('\n');
  const runs = lines.filter((line) => line.startsWith('ExecStart=/usr/bin/podman run '));
  const words = (runs[0] ?? '').split(' ').slice(2);
  const flags = words.filter((word) => word.startsWith('--'));
  const valuesOf = (flag: string) =>
    flags.flatMap((word) => (word.startsWith(`--${flag}=`) ? [word.slice(flag.length + 3)] : []));
  const [image, ...command] = words.slice(flags.length);
  return {
    count: runs.length,
    name: valuesOf('name')[0],
    pod: valuesOf('pod-id-file')[0],
    user: valuesOf('user')[0],
    restart: valuesOf('restart')[0],
    mounts: valuesOf('volume'),
    env: valuesOf('env'),
    files: valuesOf('env-file'),
    image,
    command: command.join(' '),
    isReplaced: flags.includes('--replace'),
    isRemovedAtItsEnd: flags.includes('--rm'),
    isKnownBy: valuesOf('cidfile')[0],
    beforeAndAfter: lines.filter((line) => /ctr-id/.test(line) && !line.startsWith('ExecStart=')),
  };
}

describe('containers', () => {
  const mirrors = [{ source: 'quay.example.test/ocp/release', mirrors: ['mirror.example.test:5000/ocp'] }];
  const unitsOf = (site: Partial<ServiceSettings>) => serviceConfig({ ...SITE, mirrors, ...site }).systemd?.units ?? [];
  const started = (all: readonly Unit[]) => all.filter(({ contents }) => contents?.includes('podman run'));
  const mountsIn = (all: readonly Unit[], name: string) =>
    started(all).flatMap((one) => (one.name === name ? containerOf(one).mounts : []));

  test.each(started(unitsOf({})).map((one) => [one.name, one] as const))(
    "of %s get the same values as upstream's",
    (name, one) => {
      const { command, ...expected } = EXPECTED[name] ?? { command: 'nothing is known of it' };
      expect(containerOf(one)).toEqual({
        count: 1,
        name: name.replace('.service', ''),
        pod: '%t/assisted-service-pod.pod-id',
        user: undefined,
        restart: undefined,
        mounts: [],
        env: [],
        files: [],
        image: '$SERVICE_IMAGE',
        ...expected,
        command,
        // podman refuses this combination.
        isRemovedAtItsEnd: expected.restart === undefined,
        isReplaced: true,
        isKnownBy: '%t/%n.ctr-id',
        beforeAndAfter: [
          'ExecStartPre=/usr/bin/rm -f %t/%n.ctr-id',
          'ExecStop=/usr/bin/podman stop --ignore --time=10 --cidfile=%t/%n.ctr-id',
          'ExecStopPost=/usr/bin/podman rm --force --ignore --cidfile=%t/%n.ctr-id',
        ],
      });
    },
  );

  test("are the same ones as upstream's", () => {
    expect(started(unitsOf({})).map(({ name }) => name)).toEqual(Object.keys(EXPECTED));
  });

  test.each([
    ['mirrors and a bundle', { mirrors }, [CONTAINERS, OWN_BUNDLE]],
    [
      'mirrors alone',
      { mirrors, hasTrustBundle: false },
      [CONTAINERS, `/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem:${IN_CONTAINER}`],
    ],
    ['a bundle alone', { mirrors: [] }, [`/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem:${IN_CONTAINER}`]],
  ])("use the machine's certificates and registries, with %s", (_, site, mounts) => {
    expect(mountsIn(unitsOf(site), 'assisted-service.service')).toEqual([TLS, ...mounts]);
    expect(mountsIn(unitsOf(site), 'agent-register-cluster.service')).toEqual([MANIFESTS, EXTRA_MANIFESTS, ...mounts]);
  });

  test('receive the name of the image', () => {
    const text = unitsOf({ imageType: 'minimal-iso' }).find(({ name }) => name === 'agent-register-infraenv.service');
    expect(text?.contents).toContain(' --env=IMAGE_TYPE_ISO=minimal-iso ');
  });
});
