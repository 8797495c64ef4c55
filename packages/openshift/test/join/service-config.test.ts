import { validateConfig } from '@coreiso/ignition';
import { type ClusterFacts, parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { liveConfig, outlineBoots, planNodes } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { compareListings, type RecordedListing } from '../../../../test/support/service-listing.ts';
import { listServiceConfig } from '../../src/join/service/listing.ts';
import { serviceConfig } from '../../src/join/service/service-config.ts';
import type { ServiceSettings } from '../../src/join/service/service-settings.ts';
import { SAMPLE_CREDENTIALS } from './sample-credentials.ts';
import { fileText, SITE } from './service-site.ts';

interface Recording extends RecordedListing {
  readonly version: string;
  readonly releaseImage: string;
  readonly cpuArchitecture: string;
  readonly rendezvousIP: string;
  readonly users: readonly { readonly sshAuthorizedKeys: readonly string[] }[];
}

const installations = new Goldens(new URL('../goldens/agent-ignition.json', import.meta.url));

/** Tokens of an installation never expire. */
const token = (scheme: string): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ auth_scheme: scheme })}.c2lnbmF0dXJl`;
};
const { tokens } = SAMPLE_CREDENTIALS;
const ENDLESS = {
  ...SAMPLE_CREDENTIALS,
  tokens: {
    agent: token('agentAuth'),
    user: token('userAuth'),
    watcher: token('watcherAuth'),
    publicKey: tokens.publicKey,
    expires: undefined,
  },
};

const mirror = (name: string, to = `ocp/${name}`) => ({
  source: `releases.example.test/ocp/${name}`,
  mirrors: [`mirror.dc1.example.test:5000/${to}`],
});

describe('an installation', () => {
  const nothing = { mirrors: [], hasTrustBundle: false, hasStaticNetwork: false };

  test.each<[string, Pick<ServiceSettings, 'mirrors' | 'hasTrustBundle' | 'hasStaticNetwork' | 'required'>]>([
    ['sno-none', { ...nothing, required: { controlPlane: 1, arbiter: 0, worker: 0 } }],
    [
      'dual-stack-v6-first',
      { ...nothing, hasStaticNetwork: true, required: { controlPlane: 3, arbiter: 0, worker: 1 } },
    ],
    [
      'ha-mirrors-proxy-static',
      {
        mirrors: [
          mirror('release'),
          mirror('art'),
          { source: 'other.example.test/lib', mirrors: ['mirror.dc1.example.test:5000/lib'] },
        ],
        hasTrustBundle: true,
        hasStaticNetwork: true,
        required: { controlPlane: 3, arbiter: 0, worker: 2 },
      },
    ],
  ])('%s has the users, folders, units and settings that were recorded', (name, site) => {
    const recorded = installations.json<Recording>(`${name}.json`);
    const config = serviceConfig({
      ...SITE,
      ...site,
      rendezvousAddress: recorded.rendezvousIP,
      architecture: recorded.cpuArchitecture,
      releaseImage: recorded.releaseImage,
      version: recorded.version,
      title: 'lantern.example.test',
      sshKey: recorded.users[0]?.sshAuthorizedKeys[0] ?? '',
      credentials: ENDLESS,
    });
    const ours = listServiceConfig(config, 'install');
    const paths = new Set(ours.files.map(({ path }) => path));
    const files = (recorded.files ?? []).filter(
      ({ path }) => paths.has(path) || /\.env$|^\/opt\/|\/bin\/|issue/.test(path),
    );
    expect(compareListings(ours, { ...recorded, files })).toEqual([]);
    expect(validateConfig(config).ok).toBe(true);
  });

  test('names the live system if it is known', () => {
    const osImage = { url: 'https://images.example.test/live.iso', version: '9.6.20250923-0' };
    const text = fileText(serviceConfig({ ...SITE, osImage }), '/usr/local/share/assisted-service/images.env');
    expect(text).toContain(
      '"openshift_version":"4.20.3","cpu_architecture":"x86_64","url":"https://images.example.test/live.iso","version":"9.6.20250923-0"',
    );
  });

  test('waits for the required number of machines of each kind', () => {
    const config = serviceConfig({ ...SITE, required: { controlPlane: 2, arbiter: 1, worker: 4 } });
    expect(fileText(config, '/usr/local/share/start-cluster/start-cluster.env')).toBe(
      'REQUIRED_MASTER_NODES=2\nREQUIRED_ARBITER_NODES=1\nREQUIRED_WORKER_NODES=4\n',
    );
  });

  test.each(['reef.example.test', '', '192.0.2.256', '2001:db8::g'])(
    'is refused with service address %j',
    (rendezvousAddress) => {
      expect(() => serviceConfig({ ...SITE, rendezvousAddress })).toThrow(
        new TypeError('rendezvousAddress must be an IP address'),
      );
    },
  );

  test.each([
    [undefined, 'settings'],
    [null, 'settings'],
    [{ ...SITE, credentials: undefined }, 'settings.credentials'],
  ])('is refused for %o, by the name of the parameter', (site, name) => {
    expect(() => serviceConfig(site as never)).toThrow(new RegExp(`^${name} must be an object`));
  });
});

describe('files that are the same in every image', () => {
  const config = serviceConfig(SITE);

  test('keep the address that a DHCPv6 server gives to a machine', () => {
    expect(fileText(config, '/etc/NetworkManager/conf.d/clientid.conf')).toBe(
      '[connection]\nipv6.dhcp-duid=ll\nipv6.dhcp-iaid=mac\n',
    );
  });

  test('name multipath disks, and only those, by user-friendly names', () => {
    const text = fileText(config, '/etc/multipath.conf') ?? '';
    expect(text).toMatch(/^defaults \{\n[^}]*^ {2}user_friendly_names yes$[^}]*^ {2}find_multipaths yes$[^}]*\n\}\n/m);
    expect(text).toContain('enable_foreign "^$"');
    expect(text).toMatch(/^blacklist_exceptions \{\n {2}property "\(SCSI_IDENT_\|ID_WWN\)"\n\}\n/m);
  });

  test('start the loader for a medium with the settings of a cluster', () => {
    const [rule = ''] =
      /^[^#\n].*$/m.exec(fileText(config, '/etc/udev/rules.d/80-agent-config-image.rules') ?? '') ?? [];
    expect(rule.split(', ')).toEqual([
      'ACTION=="add|change"',
      'SUBSYSTEM=="block"',
      'ENV{ID_FS_LABEL}=="agent_configimage"',
      'TAG+="systemd"',
      'ENV{SYSTEMD_WANTS}+="load-config-iso@%k.service"',
    ]);
    expect(config.systemd?.units?.map(({ name }) => name)).toContain('load-config-iso@.service');
  });

  test('show at login how to collect the logs, with a program that exists', () => {
    expect(fileText(config, '/etc/motd.d/10-agent-installer')).toMatch(/ sudo agent-gather\n$/);
    expect(fileText(config, '/usr/local/bin/agent-gather')).toMatch(/^#!/);
  });
});

describe('nodes that are added', () => {
  const CA = 'data:text/plain;charset=utf-8;base64,Q0E=';
  const FACTS: ClusterFacts = {
    clusterId: '1f3b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11',
    version: '4.20.3',
    releaseImage: 'quay.example.test/ocp/release:4.20.3-x86_64',
    apiServerUrl: 'https://api.reef.example.test:6443',
    pullSecret: '{"auths":{"a":{"auth":"x"}}}',
  };
  const network = `
  networkConfig:
    interfaces:
    - {name: eth0, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}}
`;
  type Facts = { readonly [Name in keyof ClusterFacts]?: ClusterFacts[Name] | undefined };
  const planOf = (facts: Facts = {}, host = '\n', credentials = SAMPLE_CREDENTIALS) => {
    const text = `hosts:\n- interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]${host}`;
    const cluster = { ...FACTS, ...facts } as ClusterFacts;
    return planNodes(parseNodesConfigOrThrow(text), { cluster, join: 'service', credentials });
  };
  const configOf = (...args: Parameters<typeof planOf>) => liveConfig(planOf(...args));
  const unitOf = (facts: Facts, name: string) =>
    configOf(facts).systemd?.units?.find((one) => one.name === name)?.contents;

  test("have upstream's default kind if it is unknown", () => {
    const text = fileText(configOf(), '/usr/local/share/assisted-service/assisted-service.env');
    expect(text).toContain('"cpu_architecture":"x86_64"');
  });

  test('leave an unknown kind to the service', () => {
    expect(fileText(configOf(), '/etc/assisted/manifests/infraenv.yaml')).toContain('\n  cpuArchitecture: ""\n');
  });

  test('boot a complete image', () => {
    expect(unitOf({}, 'agent-register-infraenv.service')).toContain(' --env=IMAGE_TYPE_ISO=full-iso ');
  });

  test.each([
    [undefined, 'extracted/pem/tls-ca-bundle.pem'],
    ['', 'extracted/pem/tls-ca-bundle.pem'],
    ['-----BEGIN CERTIFICATE-----\nQ0E=\n-----END CERTIFICATE-----\n', 'source/anchors/domain.crt'],
  ])('contact mirrors with the certificates of the cluster, here %j', (trustBundle, from) => {
    const imageDigestMirrors = [{ source: 'quay.example.test/ocp/release', mirrors: ['mirror.example.test/ocp'] }];
    const unit = unitOf({ trustBundle, imageDigestMirrors }, 'assisted-service.service');
    expect(unit).toContain(` --volume=/etc/pki/ca-trust/${from}:/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem:z`);
  });

  test.each([
    [tokens.expires, 'AUTH_TOKEN_EXPIRY=2026-11-19T03:04:05Z\n'],
    [undefined, 'AUTH_TOKEN_EXPIRY=\n'],
  ])('contain the data of the cluster and the expiry of its tokens: %s', (expires, last) => {
    const config = configOf({}, '\n', { ...SAMPLE_CREDENTIALS, tokens: { ...tokens, expires } });
    expect(fileText(config, '/etc/assisted/add-nodes.env')).toBe(
      `CLUSTER_ID=${FACTS.clusterId}\nCLUSTER_NAME=reef\nCLUSTER_API_VIP_DNS_NAME=api.reef.example.test\n${last}`,
    );
  });

  test.each<[string, ClusterFacts['workerUserData'], unknown]>([
    ['nowhere', undefined, null],
    [
      'from whom nobody vouches for',
      { ignition: { version: '3.2.0', config: { merge: [{ source: 'https://a.test/' }] } } },
      null,
    ],
    [
      'from an address with its authority',
      {
        ignition: {
          version: '3.2.0',
          config: { merge: [{ source: 'https://a.test/' }] },
          security: { tls: { certificateAuthorities: [{ source: CA }] } },
        },
      },
      { ca_certificate: 'Q0E=', url: 'https://a.test/' },
    ],
    [
      'from an address that is not said',
      { ignition: { version: '3.2.0', security: { tls: { certificateAuthorities: [{ source: CA }] } } } },
      { ca_certificate: 'Q0E=', url: '' },
    ],
  ])('fetch their config %s', (_, workerUserData, expected) => {
    const text = fileText(configOf({ workerUserData }), '/etc/assisted/clusterconfig/worker-ignition-endpoint.json');
    expect(text).toBe(JSON.stringify(expected, null, 2));
  });

  test('choose their network at boot, unless it is in place', () => {
    const plan = planOf({}, network);
    const found = (['chosen-at-boot', 'in-place'] as const).map((profiles) => {
      const { storage, systemd } = liveConfig(plan, { profiles });
      const paths = (storage?.files ?? []).map(({ path }) => path);
      const unit = systemd?.units?.find(({ name }) => name === 'pre-network-manager-config.service');
      return [
        paths.filter((path) => /assisted\/network\/|pre-network/.test(path)),
        unit?.enabled,
        paths.includes('/etc/assisted/hostconfig/host-0/mac_addresses'),
      ];
    });
    expect(found).toEqual([
      [
        [
          '/etc/assisted/network/host0/eth0.nmconnection',
          '/etc/assisted/network/host0/mac_interface.ini',
          '/usr/local/bin/pre-network-manager-config.sh',
        ],
        true,
        true,
      ],
      [[], undefined, true],
    ]);
  });

  test('describe each boot', () => {
    const plan = planOf();
    expect(outlineBoots(plan, plan.hosts[0]!)).toEqual({
      first: expect.stringMatching(/until 2026-11-19T03:04:05Z that service OVERWRITES the disk that fits its hints/),
      second: expect.stringMatching(
        /fetches its config from the cluster reef, .* approves its two certificate requests$/,
      ),
      later: expect.stringMatching(
        /^from the disk it is a node .* INSTALLED AGAIN, as long as the image has not expired$/,
      ),
    });
  });

  test('need a plan that was made for a service', () => {
    const plan = { ...planOf(), service: undefined };
    expect(() => liveConfig(plan)).toThrow(expect.objectContaining({ code: 'OPENSHIFT_MISSING_FACTS' }));
  });
});
