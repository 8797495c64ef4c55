import { applyEdits, type Diagnostic } from '@coreiso/diagnostics';
import {
  connectWorker,
  editorLines,
  findingsWithFixes,
  type LanguageService,
  serveWorker,
  toCodeMirrorDiagnostics,
  toMonacoMarkers,
  Workspace,
} from '@coreiso/language';
import { describe, expect, test } from 'vitest';

const URI = 'file:///site/nodes-config.yaml';

async function opened(text: string, uri = URI): Promise<Workspace> {
  const workspace = new Workspace();
  await workspace.open(uri, text);
  return workspace;
}

/** A text whose `|` is the cursor. */
function cursor(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf('|');
  return { text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}

async function labels(marked: string, uri = URI): Promise<string[]> {
  const { text, offset } = cursor(marked);
  return (await (await opened(text, uri)).complete(uri, offset)).map(({ label }) => label);
}

const HOST = `hosts:
- hostname: worker-0
  interfaces:
  - name: eth0
    macAddress: 52:54:00:e7:05:72
  networkConfig:
    interfaces:
    - name: bond0
      type: bond
      state: up
      link-aggregation:
        mode: active-backup
        port:
        - eth0
    routes:
      config:
      - destination: 0.0.0.0/0
        next-hop-address: 192.0.2.1
        next-hop-interface: bond0
`;

describe('completes', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      'keys of a host that it lacks',
      HOST.replace('  interfaces:\n', '  ro|\n  interfaces:\n'),
      ['role', 'rootDeviceHints'],
      ['hostname'],
    ],
    [
      'keys on an empty line',
      HOST.replace('      state: up\n', '      state: up\n      |\n'),
      ['mtu', 'ipv4'],
      ['state', 'link-aggregation'],
    ],
    ['words of a value', HOST.replace('state: up', 'state: |'), ['up', 'down', 'absent'], []],
    ['types of interfaces', HOST.replace('type: bond', 'type: b|'), ['bond', 'ethernet', 'vlan'], []],
    [
      'interfaces declared elsewhere',
      HOST.replace('next-hop-interface: bond0', 'next-hop-interface: |'),
      ['bond0', 'eth0'],
      [],
    ],
    ['ports of a bond', HOST.replace('        - eth0\n', '        - |\n'), ['eth0'], []],
    [
      'MAC addresses of the file',
      HOST.replace('      state: up\n', '      state: up\n      mac-address: |\n'),
      ['52:54:00:e7:05:72'],
      [],
    ],
    [
      'truth',
      HOST.replace('      state: up\n', '      state: up\n      ipv4:\n        enabled: |\n'),
      ['true', 'false'],
      [],
    ],
    ['a text with a mistake further down', `${HOST.replace('state: up', 'state: |')}  broken: "\n`, ['up'], []],
    ['nothing in comments', HOST.replace('state: up', 'state: up # |'), [], ['up']],
  ])('%s', async (_, marked, wanted, unwanted) => {
    const found = await labels(marked);
    expect(found).toEqual(expect.arrayContaining([...wanted]));
    for (const word of unwanted) expect(found).not.toContain(word);
  });

  test.each<[string, string, readonly string[]]>([
    ['keys of a config', '{"ignition":{"version":"3.4.0"},"st|', ['storage', 'systemd', 'passwd']],
    [
      'keys of a file',
      '{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"/a","|"}]}}',
      ['mode', 'contents'],
    ],
    ['keys of a file without a quote', '{"storage":{"files":[{"path":"/a", |}]}}', ['mode', 'contents']],
    ['truth', '{"storage":{"files":[{"path":"/a","overwrite": |}]}}', ['true', 'false']],
  ])('%s in an Ignition config', async (_, marked, wanted) => {
    expect(await labels(marked, 'file:///a.ign')).toEqual(expect.arrayContaining([...wanted]));
  });

  test('before a text that begins with a line end', async () => {
    const text = '\n- {}';
    const found = await (await opened(text, URI)).complete(URI, 0);
    for (const { edit } of found) expect(edit).toMatchObject({ start: 0, end: 0 });
  });

  test('to a valid text', async () => {
    const { text, offset } = cursor(HOST.replace('state: up', 'state: d|'));
    const found = await (await opened(text)).complete(URI, offset);
    const down = found.find(({ label }) => label === 'down');
    expect(applyEdits(text, down === undefined ? [] : [down.edit])).toBe(HOST.replace('state: up', 'state: down'));
  });

  test('addresses of the hosts as the rendezvous address', async () => {
    const agent = `kind: AgentConfig\nrendezvousIP: |\nhosts:\n- networkConfig:\n    interfaces:\n    - name: eth0\n      ipv4:\n        address:\n        - ip: 192.0.2.10\n          prefix-length: 24\n`;
    expect(await labels(agent, 'file:///site/agent-config.yaml')).toContain('192.0.2.10');
  });

  test('no secrets', async () => {
    const found = await labels(`pullSecret: |\n${'baseDomain: example.test\n'}`, 'file:///site/install-config.yaml');
    expect(found).toEqual([]);
  });
});

describe('explains', () => {
  test.each([
    ['a key', HOST.replace('state: up', 'st|ate: up'), ['**state**', '`up`']],
    ['a value', HOST.replace('mode: active-backup', 'mode: active|-backup'), ['**mode**']],
    ['a key above a mistake', `${HOST.replace('state: up', 'st|ate: up')}  broken: "\n`, ['**state**']],
  ])('%s', async (_, marked, words) => {
    const { text, offset } = cursor(marked);
    const hover = await (await opened(text)).hover(URI, offset);
    for (const word of words) expect(hover?.markdown).toContain(word);
  });

  test('secrets without their values', async () => {
    const { text, offset } = cursor(`baseDomain: example.test\npullSecret: '{"auths":{"a":{"auth":"hun|ter2"}}}'\n`);
    const workspace = await opened(text, 'file:///install-config.yaml');
    const hover = await workspace.hover('file:///install-config.yaml', offset);
    expect(hover?.markdown).toContain('pullSecret');
    expect(JSON.stringify([hover, await workspace.outline('file:///install-config.yaml')])).not.toContain('hunter2');
  });
});

describe('finds declarations', () => {
  test.each([
    ['the interface of a route', 'next-hop-interface: bo|nd0', 'next-hop-interface: bond0', 'name: bond0'],
    ['a port, in the table of its host', '- et|h0', '- eth0', 'name: eth0'],
  ])('%s', async (_, marked, plain, declared) => {
    const { text, offset } = cursor(HOST.replace(plain, marked));
    const place = await (await opened(text)).definition(URI, offset);
    expect(place?.start).toBe(text.indexOf(declared) + 'name: '.length);
  });

  test('the parent of a VLAN', async () => {
    const state =
      'interfaces:\n- name: a.7\n  type: vlan\n  vlan:\n    id: 7\n    base-iface: |a\n- name: a\n  type: ethernet\n';
    const { text, offset } = cursor(state);
    const place = await (await opened(text, 'file:///a.yaml')).definition('file:///a.yaml', offset);
    expect(place?.start).toBe(text.indexOf('- name: a\n') + 8);
  });
});

describe('finds the host of an agent-config in its install config', () => {
  const agent = 'rendezvousIP: 192.0.2.1\nhosts:\n- hostname: m0\n- hostname: m1\n';
  const install = 'baseDomain: example.test\nplatform:\n  baremetal:\n    hosts:\n    - name: m0\n    - name: m1\n';
  const [AGENT, INSTALL] = ['file:///s/agent-config.yaml', 'file:///s/install-config.yaml'];
  const found = async (offset: number, files: Readonly<Record<string, string>>, beside?: string): Promise<unknown> => {
    const workspace = new Workspace({ readFile: (uri) => files[uri] });
    await workspace.open(AGENT, agent);
    if (beside !== undefined) await workspace.open('file:///s/other.yaml', beside);
    return workspace.definition(AGENT, offset);
  };
  const start = install.indexOf('m1');

  test.each([
    ['the first character', agent.indexOf('m1')],
    ['the end', agent.indexOf('m1') + 2],
  ])('at %s of its name', async (_, offset) => {
    const place = { start, end: start + 2 };
    expect(await found(offset, { [INSTALL]: install })).toEqual({ uri: INSTALL, ...place });
    expect(await found(offset, { [INSTALL]: 'baseDomain: x\n' }, install)).toEqual({
      uri: 'file:///s/other.yaml',
      ...place,
    });
  });

  test.each([
    ['of another name', agent.indexOf('m1'), { [INSTALL]: install.replaceAll('m1', 'm2') }],
    ['where there is none', agent.indexOf('m1'), {}],
    ['where it is in another folder', agent.indexOf('m1'), { 'file:///t/install-config.yaml': install }],
    ['at its key', agent.indexOf('hostname: m1'), { [INSTALL]: install }],
    ['at another value', agent.indexOf('192'), { [INSTALL]: install }],
  ])('but not %s', async (_, offset, files) => {
    expect(await found(offset, files)).toBeUndefined();
  });
});

test('a new file is completed by its name, or not at all', async () => {
  const workspace = new Workspace();
  await workspace.open('file:///s/install-config.yaml', '');
  await workspace.open('file:///s/some.yaml', 'x: 1\n');
  const count = async (uri: string): Promise<number> => (await workspace.complete(uri, 0)).length;
  expect(await count('file:///s/install-config.yaml')).toBeGreaterThan(5);
  expect(await Promise.all([count('file:///s/some.yaml'), count('file:///s/none.yaml')])).toEqual([0, 0]);
  expect(await workspace.hover('file:///s/some.yaml', 0)).toBeUndefined();
  expect(await workspace.definition('file:///s/none.yaml', 0)).toBeUndefined();
});

test('the first character works like any other', async () => {
  const workspace = await opened('interfaces: []\n', 'file:///a.yaml');
  expect(await workspace.hover('file:///a.yaml', 0)).toMatchObject({ start: 0, end: 10 });
});

test('outlines hosts with their interfaces', async () => {
  const [hosts] = await (await opened(HOST)).outline(URI);
  const [host] = hosts?.children ?? [];
  expect([hosts?.name, host?.name]).toEqual(['hosts', 'worker-0']);
  expect(host?.children.map(({ name }) => name)).toEqual(['interfaces', 'networkConfig']);
  expect(HOST.slice(host?.label.start, host?.label.end)).toBe('worker-0');
});

describe('reads related files together', () => {
  const install = `apiVersion: v1\nbaseDomain: example.test\nmetadata:\n  name: a\ncontrolPlane:\n  name: master\n  replicas: 3\ncompute:\n- name: worker\n  replicas: 0\nnetworking:\n  machineNetwork:\n  - cidr: 192.0.2.0/24\nplatform:\n  none: {}\npullSecret: '{"auths":{"a.test":{"auth":"YTpi"}}}'\n`;
  const host = (name: string, mac: string): string =>
    `- hostname: ${name}\n  role: master\n  interfaces:\n  - name: eth0\n    macAddress: ${mac}\n`;
  const agent = `apiVersion: v1beta1\nkind: AgentConfig\nmetadata:\n  name: a\nrendezvousIP: 192.0.2.10\nhosts:\n${[1, 2, 3, 4].map((n) => host(`m${n}`, `52:54:00:00:00:0${n}`)).join('')}`;

  test('an agent-config and the install config beside it, open or on the disk', async () => {
    const codes = async (workspace: Workspace): Promise<string> =>
      JSON.stringify(await workspace.findings('file:///s/agent-config.yaml'));
    const alone = await opened(agent, 'file:///s/agent-config.yaml');
    const beside = new Workspace({
      readFile: (uri) => (uri === 'file:///s/install-config.yaml' ? install : undefined),
    });
    await beside.open('file:///s/agent-config.yaml', agent);
    expect(await codes(beside)).not.toBe(await codes(alone));
    await alone.open('file:///s/install-config.yaml', install);
    expect(await codes(alone)).toBe(await codes(beside));
    expect(await alone.related('file:///s/install-config.yaml')).toEqual(['file:///s/agent-config.yaml']);
  });

  test('manifests of several kinds in one file, each by its own kind', async () => {
    const text = `apiVersion: agent-install.openshift.io/v1beta1\nkind: InfraEnv\nmetadata:\n  name: a\nspec:\n  bogus: 1\n---\nkind: Secret\nstringData: {a: b}\n---\napiVersion: agent-install.openshift.io/v1beta1\nkind: NMStateConfig\nmetadata:\n  name: b\nspec:\n  bogus: 2\n`;
    const findings = await (await opened(text, 'file:///m.yaml')).findings('file:///m.yaml');
    const lines = findings.filter(({ message }) => message.includes('bogus')).map(({ range }) => range?.start.line);
    expect(lines).toEqual([6, 16]);
  });
});

function manyHosts(count: number): string {
  const hosts = Array.from(
    { length: count },
    (_, index) =>
      `- hostname: worker-${index}\n  interfaces:\n  - name: eth0\n    macAddress: 52:54:00:00:00:${(16 + index).toString(16)}\n  networkConfig:\n    interfaces:\n    - name: eth0\n      type: ethernet\n      state: up\n      ipv4:\n        enabled: true\n        dhcp: true\n`,
  );
  return `# hosts\nhosts:\n${hosts.join('')}`;
}

describe('checks only the part that a key stroke changed', () => {
  const shown = (findings: readonly Diagnostic[]): string[] =>
    findings
      .map(({ code, message, range, path }) => `${range?.start.line}:${range?.start.offset} ${code} ${message} ${path}`)
      .sort();
  const texts: readonly [string, string, string][] = [
    ['a misspelt key', 'state: up', 'stat: up'],
    ['a new line', '      state: up\n', '      state: up\n      bogus: 1\n'],
    ['a value', 'type: ethernet', 'type: ehternet'],
    ['a key that is gone', '      type: ethernet\n', ''],
    ['a MAC address', 'macAddress: 52:54:00:00:00:15', 'macAddress: 52-54-00-00-00-15'],
  ];

  test.each(texts)('%s: same findings as for the whole text', async (_, right, wrong) => {
    const text = manyHosts(20).replace('bogus', '').replace('worker-17', 'Worker_17');
    const at = right.includes('15') ? 0 : text.indexOf('worker-9');
    const changed = text.slice(0, at) + text.slice(at).replace(right, wrong);
    expect(changed).not.toBe(text);
    const workspace = await opened(text);
    await workspace.findings(URI);
    await workspace.open(URI, changed);
    const quick = await workspace.findings(URI, { depth: 'quick' });
    expect(shown(quick)).toEqual(shown(await workspace.findings(URI)));
  });

  test.each<[string, string]>([
    ['one host more', manyHosts(21).replace('worker-9\n', 'Worker_9\n')],
    ['one host less', manyHosts(19).replace('worker-9\n', 'Worker_9\n')],
    ['few hosts', manyHosts(3).replace('worker-1\n', 'Worker_1\n')],
    ['changes in five hosts', manyHosts(20).replace(/worker-[3-7]\n/g, 'Worker_9\n')],
    ['a change before the hosts', manyHosts(20).replace('# hosts\n', 'cpuArchitecture: sparc\n')],
  ])('%s: all of it', async (_, changed) => {
    const workspace = await opened(manyHosts(20));
    await workspace.findings(URI);
    await workspace.open(URI, changed);
    const quick = await workspace.findings(URI, { depth: 'quick' });
    expect(quick.length).toBeGreaterThan(0);
    expect(quick).toEqual(await (await opened(changed)).findings(URI));
  });

  test.each([
    ['in the middle', 'worker-9\n'],
    ['in the first host', 'worker-0\n'],
    ['in the last host', 'worker-19\n'],
  ])('the finding about a host %s disappears with its mistake', async (_, name) => {
    const broken = manyHosts(20).replace(name, `${name}  bogus: 1\n`).replace('worker-11\n', 'Worker_11\n');
    const workspace = await opened(broken);
    await workspace.findings(URI);
    const mended = broken.replace('  bogus: 1\n', '');
    await workspace.open(URI, mended);
    const quick = await workspace.findings(URI, { depth: 'quick' });
    expect(shown(quick)).toEqual(shown(await (await opened(mended)).findings(URI)));
    const places = quick.map(({ range }) => range && mended.slice(range.start.offset, range.end.offset));
    expect(places).toEqual(['Worker_11']);
  });

  test('findings that several hosts share stay until the whole text is checked', async () => {
    const text = manyHosts(20);
    const workspace = await opened(text);
    await workspace.findings(URI);
    await workspace.open(URI, text.replace('worker-3', 'worker-4'));
    expect(await workspace.findings(URI, { depth: 'quick' })).toEqual([]);
    expect((await workspace.findings(URI)).length).toBeGreaterThan(0);
  });

  test('a long list has the fixes of its hosts', async () => {
    const text = manyHosts(20).replace('worker-9\n', 'worker-9\n  rol: worker\n');
    const findings = findingsWithFixes({ kind: 'nodes-config', text });
    expect(findings.flatMap(({ fixes = [] }) => fixes)[0]).toMatchObject({
      safe: true,
      title: 'Rename `rol` to `role`',
    });
    const [fix] = await (await opened(text)).fixes(URI, { start: text.indexOf('rol:'), end: text.indexOf('rol:') + 3 });
    expect(applyEdits(text, fix?.fix.edits ?? [])).toBe(text.replace('rol:', 'role:'));
  });
});

test('half-typed texts have few findings', async () => {
  const workspace = new Workspace();
  const text = HOST.slice(0, 420);
  const counts: number[] = [];
  for (let length = 8; length < text.length; length += 7) {
    await workspace.open(URI, text.slice(0, length));
    counts.push((await workspace.findings(URI)).filter(({ severity }) => severity !== 'info').length);
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});

test('stops when its signal aborts', async () => {
  const workspace = await opened(HOST.replace('state', 'stat'));
  const signal = AbortSignal.abort(new Error('typed on'));
  await expect(workspace.findings(URI, { signal })).rejects.toThrow('typed on');
  await expect(workspace.fixes(URI, { start: 0, end: 500 }, { signal })).rejects.toThrow('typed on');
});

describe('shows findings in editors', () => {
  const text = 'interfaces:\r\n- name: "\u{1f600}eth0"\r\n  tpye: ethernet\r\n';
  const findings = findingsWithFixes({ kind: 'network-state', text }).filter(({ message }) => message.includes('tpye'));

  test('as markers of Monaco, from 1, in units of UTF-16', () => {
    const [marker] = toMonacoMarkers(text, findings);
    expect(marker).toMatchObject({ severity: 8, startLineNumber: 3, startColumn: 3, endLineNumber: 3, endColumn: 7 });
    expect(marker?.message).toContain('\nhelp: ');
  });

  test('as diagnostics of CodeMirror, which counts line ends as one', () => {
    const [one] = toCodeMirrorDiagnostics(text, findings);
    const doc = text.replaceAll('\r\n', '\n');
    expect(doc.slice(one?.from, one?.to)).toBe('tpye');
    let changed = '';
    one?.actions[0]?.apply({
      dispatch: ({ changes }) => {
        changed = applyEdits(
          doc,
          changes.map(({ from, to, insert }) => ({ start: from, end: to, text: insert })),
        );
      },
    });
    expect(changed).toBe(doc.replace('tpye', 'type'));
  });

  test('places of editors and offsets map one to one within lines', () => {
    const lines = editorLines(text);
    expect(lines.positionAt(text.indexOf('eth0'))).toEqual({ line: 1, character: 11 });
    for (let offset = 0; offset <= text.length; offset++) {
      const place = lines.positionAt(offset);
      const back = lines.offsetAt(place);
      expect(back === offset || text[offset - 1] === '\r' || text[offset] === '\n').toBe(true);
    }
    expect(lines.offsetAt({ line: 99, character: 0 })).toBe(text.length);
    expect(lines.offsetAt({ line: 0, character: 99 })).toBe('interfaces:'.length);
  });
});

test('answers and stops in a worker as it does here', async () => {
  const { port1, port2 } = new MessageChannel();
  const workspace = new Workspace();
  const seen: unknown[] = [];
  const watched: LanguageService = Object.assign(Object.create(workspace), {
    open: workspace.open.bind(workspace),
    findings: (uri: string, options: { signal?: AbortSignal }) => {
      seen.push(options.signal);
      return workspace.findings(uri, options);
    },
  });
  serveWorker(port1, watched);
  const remote = connectWorker(port2);
  const text = HOST.replace('state', 'stat');
  await remote.open(URI, text);
  const findings = await remote.findings(URI, { depth: 'whole', signal: new AbortController().signal });
  await workspace.open(URI, text);
  expect(findings).toEqual(await workspace.findings(URI));
  expect(seen[0]).toBeInstanceOf(AbortSignal);
  const controller = new AbortController();
  const asked = remote.findings(URI, { signal: controller.signal });
  controller.abort(new Error('typed on'));
  await expect(asked).rejects.toThrow('typed on');
  await expect(remote.open(URI, text, 'butane' as 'ignition')).rejects.toThrow('kind must be one of');
  port1.close();
  port2.close();
});

test('every question has the same answer through a worker', async () => {
  const { port1, port2 } = new MessageChannel();
  const here = new Workspace();
  serveWorker(port1, new Workspace());
  const there = connectWorker(port2);
  const text = HOST.replace('worker-0\n', 'worker-0\n  rol: worker\n');
  const agent = 'file:///site/agent-config.yaml';
  const install = 'file:///site/install-config.yaml';
  const bond = text.lastIndexOf('bond0');
  const answers = async (service: LanguageService): Promise<unknown[]> => {
    await service.open(URI, text);
    await service.open(agent, 'rendezvousIP: 192.0.2.1\nhosts: []\n');
    await service.open(install, 'baseDomain: example.test\n');
    const extent = { start: text.indexOf('rol:'), end: text.indexOf('rol:') + 3 };
    const found = [
      ...[await service.findings(URI), await service.fixes(URI, extent), await service.complete(URI, bond)],
      ...[await service.hover(URI, bond), await service.outline(URI), await service.definition(URI, bond)],
      await service.related(install),
    ];
    await service.close(URI);
    return [...found, await service.findings(URI), await service.outline(URI)];
  };
  const told = await answers(here);
  expect(await answers(there)).toEqual(told);
  expect(told.slice(0, 7).map((one) => one === undefined || (one as unknown[]).length === 0)).toEqual(
    Array(7).fill(false),
  );
  expect(told.slice(7)).toEqual([[], []]);
  port1.close();
  port2.close();
});

test('names the parameter of an invalid call', async () => {
  const workspace = new Workspace();
  await expect(workspace.open(7 as never, '')).rejects.toThrow(new TypeError('uri must be a string, not a number'));
  await expect(workspace.open('a', 7 as never)).rejects.toThrow(new TypeError('text must be a string, not a number'));
  expect(() => new Workspace(7 as never)).toThrow(new TypeError('options must be an object, not a number'));
  expect(() => serveWorker(7 as never, workspace)).toThrow(new TypeError('peer must be an object, not a number'));
  expect(() => serveWorker(new MessageChannel().port1, 7 as never)).toThrow(/^service must be/);
  expect(() => connectWorker(7 as never)).toThrow(new TypeError('peer must be an object, not a number'));
  expect(() => toMonacoMarkers(7 as never, [])).toThrow(/^text must be/);
  expect(() => toMonacoMarkers('', 7 as never)).toThrow(/^findings must be/);
  expect(() => toCodeMirrorDiagnostics(7 as never, [])).toThrow(/^text must be/);
  expect(() => toCodeMirrorDiagnostics('', 7 as never)).toThrow(/^findings must be/);
});

test.each<[kind: string, text: string, from: number, to: number]>([
  ['a stretch of a line', 'ab cd\nef', 3, 5],
  ['an empty place', 'ab', 1, 1],
  ['an empty place at the end of a line', 'ab\ncd', 2, 2],
  ['more than one line', 'ab\r\ncd', 1, 6],
  ['behind the end', 'ab', 9, 12],
  ['no place', 'ab', -1, -1],
])('reports a finding about %s', (_, text, from, to) => {
  const place = (offset: number) => ({ offset, line: 1, column: 1 });
  const range = from < 0 ? {} : { range: { start: place(from), end: place(to) } };
  const finding: Diagnostic = { severity: 'warning', code: 'a/b', message: 'm', path: [], help: 'h', ...range };
  const [marker] = toMonacoMarkers(text, [finding]);
  const [shown] = toCodeMirrorDiagnostics(text, [finding]);
  expect(marker).toMatchObject({ severity: 4, message: 'm\nhelp: h', code: 'a/b', source: 'coreiso' });
  expect(shown).toMatchObject({ severity: 'warning', message: 'm\nhelp: h', source: 'coreiso', actions: [] });
  const places = [marker?.startLineNumber, marker?.startColumn, marker?.endLineNumber, marker?.endColumn];
  expect([...places, shown?.from, shown?.to]).toEqual(
    {
      3: [1, 4, 1, 6, 3, 5],
      1: [1, 2, 1, 3, 1, 2],
      2: [1, 3, 1, 3, 2, 2],
      9: [1, 3, 1, 3, 2, 2],
      [-1]: [1, 1, 1, 2, 0, 1],
    }[from],
  );
});
