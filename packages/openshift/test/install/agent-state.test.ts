import { createHash } from 'node:crypto';
import { parseInstallFiles, renderManifests } from '@coreiso/nodes-config';
import { AGENT_STATE_FILE, type AgentState, agentStateOf, readAgentState, rememberedSources } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const HOST = { name: 'a', role: 'master', macs: ['52:54:00:00:00:01'] };
const STATE: AgentState = { version: 1, inputs: {}, outputs: {}, hosts: [HOST] };
const REMOVE = `Remove ${AGENT_STATE_FILE}: manifests beside an install config are then made again.`;

describe('a state file', () => {
  test.each<[name: string, members: object]>([
    [
      'with everything',
      { rendezvousIP: '192.0.2.1', consumed: { 'install-config.yaml': 'a' }, watcherToken: 'w', userToken: 'u' },
    ],
    ['with files', { inputs: { 'agent-config.yaml': 'ab' }, outputs: { 'cluster-manifests/infraenv.yaml': 'cd' } }],
    [
      'with hints of each type',
      { hosts: [{ ...HOST, rootDeviceHints: { deviceName: '/dev/sda', minSizeGigabytes: 7, rotational: false } }] },
    ],
    ['without hosts', { hosts: [] }],
    ['with a member of later', { later: [1] }],
  ])('reads %s', (_, members) => {
    const state = { ...STATE, ...members };
    expect(readAgentState(JSON.stringify(state))).toEqual({ ok: true, value: state, diagnostics: [] });
  });

  test.each<[text: unknown, message: string, help?: string]>([
    ['{', 'the state file is not JSON'],
    [null, 'the state file has no state'],
    [7, 'the state file has no state'],
    [{}, 'the state file has an unknown version'],
    [{ version: 0 }, 'the state file has an unknown version'],
    [{ version: '1' }, 'the state file has an unknown version'],
    [
      { version: 2 },
      'the state file needs a newer version of coreiso',
      'Use a newer version of coreiso, which wrote it.',
    ],
    [{ version: 2, needs: 'coreiso 3.1' }, 'the state file needs coreiso 3.1', 'Use coreiso 3.1, which wrote it.'],
    [
      { version: 2, needs: 'a\nb' },
      'the state file needs a newer version of coreiso',
      'Use a newer version of coreiso, which wrote it.',
    ],
    [
      { version: 2, needs: 'x'.repeat(65) },
      'the state file needs a newer version of coreiso',
      'Use a newer version of coreiso, which wrote it.',
    ],
    ...[
      { inputs: undefined },
      { inputs: null },
      { inputs: [] },
      { inputs: { a: 1 } },
      { outputs: 7 },
      { outputs: { a: null } },
      { hosts: {} },
      { hosts: [null] },
      { hosts: [{ ...HOST, name: 1 }] },
      { hosts: [{ ...HOST, role: undefined }] },
      { hosts: [{ ...HOST, macs: 'a' }] },
      { hosts: [{ ...HOST, macs: [1] }] },
      { hosts: [{ ...HOST, rootDeviceHints: { deviceName: 1 } }] },
      { hosts: [{ ...HOST, rootDeviceHints: null }] },
      { hosts: [{ ...HOST, rootDeviceHints: { minSizeGigabytes: '7' } }] },
      { hosts: [{ ...HOST, rootDeviceHints: { rotational: 'true' } }] },
      { hosts: [{ ...HOST, rootDeviceHints: 'a' }] },
      { hosts: [HOST, {}] },
      { rendezvousIP: 7 },
      { watcherToken: 7 },
      { userToken: {} },
      { consumed: null },
      { consumed: { 'install-config.yaml': 7 } },
    ].map((members): [object, string] => [{ ...STATE, ...members }, 'the state file is damaged']),
  ])('refuses %j: %s', (value, message, help = REMOVE) => {
    const outcome = readAgentState(typeof value === 'string' ? value : JSON.stringify(value));
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics).toMatchObject([
      { severity: 'error', code: 'openshift/state', message, help, path: [] },
    ]);
  });

  test.each<[members: object, list: string, name: string, fault: string]>([
    [{ inputs: { '../x': 'a' } }, 'inputs', '../x', 'only install-config.yaml and agent-config.yaml can be there'],
    [{ consumed: { x: 'a' } }, 'consumed', 'x', 'only install-config.yaml and agent-config.yaml can be there'],
    ...['../x', '/etc/x', 'a//b', 'a/../b', 'a\\b', '', 'a/', '.'].map((name): [object, string, string, string] => [
      ...([{ outputs: { [name]: 'a' } }, 'outputs', name, 'it is not a path inside the directory'] as const),
    ]),
  ])('refuses %j', (members, list, name, fault) => {
    const outcome = readAgentState(JSON.stringify({ ...STATE, ...members }));
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics).toMatchObject([
      {
        ...{ code: 'openshift/state-name', path: [list, name], help: REMOVE },
        message: `the state file has ${JSON.stringify(name)} in \`${list}\`: ${fault}`,
      },
    ]);
  });
});

const INSTALL = 'install-config.yaml';
const AGENT = 'agent-config.yaml';

describe('the sources of the manifests', () => {
  const inputs = { [INSTALL]: sha256('i'), [AGENT]: sha256('a') };

  test.each<
    [name: string, files: Record<string, string>, state: Partial<AgentState>, previous: unknown, lost: string[]]
  >([
    [
      'files that are as they were',
      { [INSTALL]: 'i', [AGENT]: 'a' },
      { inputs },
      { installConfig: 'i', agentConfig: 'a' },
      [],
    ],
    [
      'an agent-config that has changed',
      { [INSTALL]: 'i', [AGENT]: 'b' },
      { inputs },
      { installConfig: 'i', agentConfig: undefined },
      [],
    ],
    [
      'an install config that has changed',
      { [INSTALL]: 'j', [AGENT]: 'a' },
      { inputs },
      { installConfig: '', agentConfig: 'a' },
      [],
    ],
    [
      'files that were consumed',
      {},
      { inputs, consumed: { [INSTALL]: 'i', [AGENT]: 'a' } },
      { installConfig: 'i', agentConfig: 'a' },
      [],
    ],
    [
      'one that was consumed and is there again',
      { [INSTALL]: 'j' },
      { inputs, consumed: { [INSTALL]: 'i' } },
      { installConfig: 'i', agentConfig: undefined },
      [AGENT],
    ],
    ['files that are gone', {}, { inputs }, undefined, [INSTALL, AGENT]],
    ['nothing', {}, {}, undefined, []],
    ['an install config that is new', { [INSTALL]: 'i' }, {}, { installConfig: '', agentConfig: undefined }, []],
  ])('%s', async (_, files, state, previous, lost) => {
    const remembered = await rememberedSources(files, { ...STATE, ...state });
    expect(remembered.previous).toEqual(previous);
    expect(remembered.diagnostics).toMatchObject(
      lost.map((name) => ({
        ...{ severity: 'warning', code: 'openshift/lost-input' },
        message: `${name}, from which the manifests were made, is missing: settings that manifests cannot hold are lost`,
        help: `Put ${name} back, or remove ${AGENT_STATE_FILE} to use only the manifests.`,
      })),
    );
  });

  test('are unknown without a state', async () => {
    expect(await rememberedSources({ [INSTALL]: 'i' }, undefined)).toEqual({ previous: undefined, diagnostics: [] });
    await expect(rememberedSources(7 as never, STATE)).rejects.toThrow(/^files must be an object/);
    await expect(rememberedSources({}, 7 as never)).rejects.toThrow(/^state must be an object/);
    await expect(rememberedSources({}, {} as never)).rejects.toThrow(/^state.inputs must be an object/);
  });
});

describe('the new state', () => {
  const installConfig = `apiVersion: v1
baseDomain: example.test
metadata: {name: reef}
controlPlane: {replicas: 1}
compute: [{name: worker, replicas: 0}]
networking: {machineNetwork: [{cidr: 192.0.2.0/24}]}
platform: {none: {}}
pullSecret: '{"auths":{"a.test":{"auth":"dTpw"}}}'
`;
  const agentConfig = (rendezvous: string): string => `apiVersion: v1beta1
${rendezvous}hosts:
- hostname: a
  role: master
  rootDeviceHints: {deviceName: /dev/sda}
  interfaces: [{name: eth0, macAddress: '52:54:00:00:00:0A'}]
  networkConfig: {interfaces: [{name: eth0, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}}]}
`;
  const made = (rendezvous = 'rendezvousIP: 192.0.2.9\n') => {
    const outcome = parseInstallFiles({ installConfig, agentConfig: agentConfig(rendezvous) });
    if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
    const release = { version: '4.20.3', image: 'quay.io/ocp/release:4.20.3-x86_64' };
    return { ...renderManifests(outcome.value, release), installFiles: outcome.value } as never;
  };
  const files = { [INSTALL]: installConfig, [AGENT]: agentConfig('rendezvousIP: 192.0.2.9\n') };

  test('has digests of the files that stay, inputs and outputs, and the hosts', async () => {
    const state = await agentStateOf(files, made());
    const { files: written } = made() as { files: Record<string, string> };
    expect(state).toEqual({
      version: 1,
      inputs: { [INSTALL]: sha256(files[INSTALL] ?? ''), [AGENT]: sha256(files[AGENT] ?? '') },
      outputs: Object.fromEntries(Object.entries(written).map(([path, text]) => [path, sha256(text)])),
      hosts: [{ name: 'a', role: 'master', macs: ['52:54:00:00:00:0a'], rootDeviceHints: { deviceName: '/dev/sda' } }],
      rendezvousIP: '192.0.2.9',
    });
    expect(readAgentState(JSON.stringify(state))).toEqual({ ok: true, value: state, diagnostics: [] });
  });

  test('has the texts of files that are removed', async () => {
    const state = await agentStateOf(files, made(), { inputs: 'consumed' });
    expect(state.consumed).toEqual(files);
    expect(state.inputs).toEqual({ [INSTALL]: sha256(files[INSTALL] ?? ''), [AGENT]: sha256(files[AGENT] ?? '') });
  });

  test('has the inputs that an earlier step consumed, tokens, and outputs that a person edited', async () => {
    const [path = '', text = ''] = Object.entries((made() as { files: Record<string, string> }).files)[0] ?? [];
    const before: AgentState = {
      ...STATE,
      inputs: { [INSTALL]: 'old', [AGENT]: 'old too' },
      outputs: { [path]: 'edited' },
      consumed: { [INSTALL]: installConfig },
      ...{ watcherToken: 'w', userToken: 'u' },
    };
    const state = await agentStateOf({ [path]: text }, made(), { before });
    expect(state.inputs).toEqual({ [INSTALL]: 'old' });
    expect(state.consumed).toEqual({ [INSTALL]: installConfig });
    expect(state.outputs[path]).toBe('edited');
    expect([state.watcherToken, state.userToken]).toEqual(['w', 'u']);
    expect((await agentStateOf({ [path]: 'other' }, made(), { before })).outputs[path]).toBe(sha256(text));
  });

  test('names the misused parameter', async () => {
    await expect(agentStateOf(7 as never, made())).rejects.toThrow(/^files must be an object/);
    await expect(agentStateOf({}, 7 as never)).rejects.toThrow(/^made must be an object/);
    await expect(agentStateOf({}, made(), 7 as never)).rejects.toThrow(/^options must be an object/);
    await expect(agentStateOf({}, {} as never)).rejects.toThrow('made must be what makeManifests returns as its value');
  });
});
