import type { Config } from '@coreiso/ignition';
import { describe, expect, test } from 'vitest';
import { listServiceConfig } from '../../src/join/service/listing.ts';
import { systemdWord } from '../../src/join/service/units/systemd-words.ts';

const dataUrl = (text: string): string =>
  `data:text/plain;charset=utf-8;base64,${Buffer.from(text).toString('base64')}`;

const withFile = (path: string, text: string, workflow: 'install' | 'addnodes' = 'install') => {
  const files = [{ path, mode: 0o600, overwrite: true, contents: { source: dataUrl(text) } }];
  const [listed] = listServiceConfig({ ignition: { version: '3.2.0' }, storage: { files } }, workflow).files;
  const { path: _, mode, owner, overwrite, how, mediaType, ...contents } = listed ?? {};
  return contents;
};

const withUnit = (name: string, contents: string, workflow: 'install' | 'addnodes' = 'install') =>
  listServiceConfig({ ignition: { version: '3.2.0' }, systemd: { units: [{ name, contents }] } }, workflow).units[0];

describe('a listing', () => {
  test('of an empty config is empty', () => {
    expect(listServiceConfig({ ignition: { version: '3.2.0' } }, 'install')).toEqual({
      ignitionVersion: '3.2.0',
      topLevelKeys: ['ignition'],
      users: [],
      directories: [],
      files: [],
      units: [],
    });
  });

  test('shows the settings that a config leaves to Ignition', () => {
    const config: Config = {
      ignition: { version: '3.2.0' },
      storage: { directories: [{ path: '/srv' }], files: [{ path: '/srv/empty' }] },
      systemd: { units: [{ name: 'a.service' }] },
    };
    const { directories, files, units } = listServiceConfig(config, 'install');
    expect({ directories, files, units }).toEqual({
      directories: [{ path: '/srv', mode: '00', owner: null, overwrite: false }],
      files: [
        { path: '/srv/empty', mode: '00', owner: null, overwrite: false, how: 'contents', mediaType: '', text: '' },
      ],
      units: [{ name: 'a.service', enabled: null, dropins: [], directives: {} }],
    });
  });

  test.each([
    ['/etc/issue', 'reef.example.test\n\n', 'install', { text: '<banner naming reef.example.test>' }],
    ['/etc/issue', '\n', 'install', { text: '<banner naming >' }],
    ['/etc/issue', 'This machine\n', 'addnodes', { data: '<static, body not recorded>' }],
    ['/etc/motd.d/10-agent-installer', 'a', 'install', { data: '<static, body not recorded>' }],
    ['/usr/local/bin/pre-network-manager-config.sh', 'a', 'install', { data: '<static, body not recorded>' }],
    ['/opt/agent/tls/a.key', 'secret', 'install', { data: '<random per image>' }],
    ['/etc/other', 'a\n', 'addnodes', { text: 'a\n' }],
    ['/etc/containers/registries.conf', '[[registry]]\n', 'install', { text: '[[registry]]\n' }],
    [
      '/etc/containers/registries.conf',
      '# none\n',
      'install',
      { data: '<upstream default file: comments and an empty search list>' },
    ],
    ['/etc/systemd/system.conf.d/10-default-env.conf', '[Manager]\n', 'install', { text: '[Manager]\n' }],
    [
      '/etc/systemd/system.conf.d/10-default-env.conf',
      '[Manager]\nDefaultEnvironment=A="b=c"\nDefaultEnvironment=D="e"\n',
      'addnodes',
      {
        env: { A: '"b=c"', D: '"e"' },
        lines: ['[Manager]', 'DefaultEnvironment=A="b=c"', 'DefaultEnvironment=D="e"'],
      },
    ],
  ] as const)('shows %s with %j in the workflow %s by its meaning', (path, text, workflow, expected) => {
    expect(withFile(path, text, workflow)).toEqual(expected);
  });

  test('of settings shows values as they are, JSON lists parsed, and random values by their kind', () => {
    const claims = Buffer.from('{"sub":"~~~???","exp":1790000000}').toString('base64url');
    // The claims contain both special letters of the URL alphabet.
    expect(claims).toMatch(/-.*_|_.*-/);
    const header = Buffer.from('{"alg":"ES256"}').toString('base64url');
    const text = `# a comment
PLAIN=a=b

EMPTY=
LIST=[{"a":1}]
TOKEN=${header}.${claims}.c2ln
BROKEN=eyJhb.eyJhb.
INFRA_ENV_ID=1
EC_PUBLIC_KEY_PEM=2
AUTH_TOKEN_EXPIRY=3
no assignment
`;
    expect(withFile('/srv/a.env', text)).toEqual({
      env: {
        PLAIN: 'a=b',
        EMPTY: '',
        LIST: [{ a: 1 }],
        TOKEN: '<JWT {"alg":"ES256"} {"sub":"~~~???","exp":"<build time + 48 h>"}>',
        BROKEN: '<JWT  >',
        INFRA_ENV_ID: '<random UUID v4>',
        EC_PUBLIC_KEY_PEM: '<base64 of the PEM public key>',
        AUTH_TOKEN_EXPIRY: '<build time + 48 h, RFC 3339, UTC>',
        '': '',
      },
    });
  });

  test('of a unit has its directives without descriptions and command lines', () => {
    const contents = `stray=1
[Unit]
Description=words
After=a
After=b
[Service]
ExecStart=/bin/true
Environment=A=b
[Install]
WantedBy=multi-user.target
`;
    expect(withUnit('a.service', contents)?.directives).toEqual({
      Unit: { After: ['a', 'b'] },
      Install: { WantedBy: ['multi-user.target'] },
    });
  });

  const RUN = `[Service]
ExecStart=/usr/bin/podman run --env=OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR=m.test/ocp:4 --env=IMAGE_TYPE_ISO=full-iso --volume=/etc/containers:/etc/containers:z --volume=/etc/own.crt:/etc/pki/tls-ca-bundle.pem:z image
`;
  test.each([
    ['load-config-iso@.service', 'Environment="CONFIG_IMAGE_FILES=a b"\n', { CONFIG_IMAGE_FILES: 'a b' }],
    ['load-config-iso@.service', '', { CONFIG_IMAGE_FILES: '' }],
    ['agent-register-infraenv.service', RUN, { IMAGE_TYPE_ISO: 'full-iso' }],
    ['assisted-service.service', RUN, { caBundleMountedFrom: '/etc/own.crt', containersMounted: true }],
    [
      'agent-register-cluster.service',
      RUN,
      {
        OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR: 'm.test/ocp:4',
        caBundleMountedFrom: '/etc/own.crt',
        containersMounted: true,
      },
    ],
    [
      'agent-register-cluster.service',
      RUN.replace('--volume=/etc/containers:/etc/containers:z ', ''),
      {
        OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR: 'm.test/ocp:4',
        caBundleMountedFrom: '/etc/own.crt',
        containersMounted: false,
      },
    ],
    ['agent.service', '[Service]\nExecStart=/bin/true\n', undefined],
  ])('of %s has the values that differ between two images, for an installation only', (name, contents, templated) => {
    expect(withUnit(name, contents)?.templated).toEqual(templated);
    expect(Object.keys(withUnit(name, contents) ?? {}).includes('templated')).toBe(templated !== undefined);
    expect(withUnit(name, contents, 'addnodes')).not.toHaveProperty('templated');
  });

  test.each([
    [undefined, 'config'],
    [{}, 'config.ignition'],
  ])('is refused for %o, by the name of the parameter', (config, name) => {
    expect(() => listServiceConfig(config as never, 'install')).toThrow(new RegExp(`^${name} must be an object`));
  });
});

// systemd.service(5), "Command lines": quotes group, backslashes escape, $$ is a dollar sign; systemd.unit(5): %% is a percent sign.
test.each([
  ['mirror.example.test:5000/ocp@sha256:55', 'mirror.example.test:5000/ocp@sha256:55'],
  ['A=b-c', 'A=b-c'],
  ['a b', '"a b"'],
  ['100%', '"100%%"'],
  ['$HOME', '"$$HOME"'],
  ['say "no"', '"say \\"no\\""'],
  ['C:\\dir', '"C:\\\\dir"'],
  ['', '""'],
])('writes the word %j on a systemd command line as %s', (text, word) => {
  expect(systemdWord(text)).toBe(word);
});
