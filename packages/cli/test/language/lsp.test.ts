import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyEdits } from '@coreiso/diagnostics';
import { editorLines } from '@coreiso/language';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as lsp from 'vscode-languageserver/node';
import { changed } from '../../src/commands/language/server.ts';
import { scratchFolder } from '../support.ts';
import { type Client, startClient } from './client.ts';

const STATE = 'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n';
const SECRET = 'hunter2hunter2';

let client: Client;
let files = 0;

beforeAll(async () => {
  client = await startClient();
});

afterAll(async () => {
  expect(await client.close()).toBe(0);
  expect(client.said()).toBe('');
});

async function opened(text: string, name = `${++files}.yaml`): Promise<lsp.TextDocumentIdentifier> {
  const uri = `file:///nowhere/${name}`;
  const textDocument = { uri, languageId: 'yaml', version: 1, text };
  await client.connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument });
  return { uri };
}

function applied(text: string, action: lsp.CodeAction | undefined, uri: string): string {
  const { offsetAt } = editorLines(text);
  const edits = action?.edit?.changes?.[uri] ?? [];
  return applyEdits(
    text,
    edits.map(({ range, newText }) => ({ start: offsetAt(range.start), end: offsetAt(range.end), text: newText })),
  );
}

test('publishes findings with UTF-16 positions, and repairs them', async () => {
  const text = `# \u{1f600}\ninterfaces:\n- {name: "\u{1f600}", type: ethernet, stat: up}\n`;
  const textDocument = await opened(text);
  const { diagnostics } = await client.published(textDocument.uri, 1);
  const finding = diagnostics.find(({ message }) => String(message).includes('`stat`'));
  expect(finding?.range).toEqual({ start: { line: 2, character: 31 }, end: { line: 2, character: 35 } });
  const range = finding?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const actions = await client.connection.sendRequest(lsp.CodeActionRequest.type, {
    textDocument,
    range,
    context: { diagnostics },
  });
  const [action] = (actions ?? []) as lsp.CodeAction[];
  expect(action).toMatchObject({ title: 'Rename `stat` to `state`', kind: 'quickfix', isPreferred: true });
  expect(applied(text, action, textDocument.uri)).toBe(text.replace('stat:', 'state:'));
});

test('follows edits of ranges, and withdraws findings of closed files', async () => {
  const textDocument = await opened(STATE);
  expect((await client.published(textDocument.uri, 1)).diagnostics).toEqual([]);
  await client.connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { ...textDocument, version: 2 },
    contentChanges: [
      { range: { start: { line: 3, character: 2 }, end: { line: 3, character: 7 } }, text: 'st' },
      { range: { start: { line: 3, character: 4 }, end: { line: 3, character: 4 } }, text: 'at' },
    ],
  });
  const { diagnostics } = await client.published(textDocument.uri, 2);
  expect(diagnostics.map(({ message }) => message).join('\n')).toContain('`stat`');
  await client.connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument });
  await expect.poll(async () => (await client.published(textDocument.uri)).diagnostics).toEqual([]);
});

test('finds a host of an agent-config in the install config beside it on the disk', async () => {
  const folder = scratchFolder();
  const install = 'platform:\n  baremetal:\n    hosts:\n    - name: master-0\n      role: master\n';
  writeFileSync(join(folder, 'install-config.yaml'), install);
  const uri = pathToFileURL(join(folder, 'agent-config.yaml')).href;
  const text = 'kind: AgentConfig\nhosts:\n- hostname: master-0\n';
  const textDocument = { uri, languageId: 'yaml', version: 1, text };
  await client.connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument });
  const place = await client.connection.sendRequest(lsp.DefinitionRequest.type, {
    textDocument: { uri },
    position: { line: 2, character: 14 },
  });
  const range = { start: { line: 3, character: 12 }, end: { line: 3, character: 20 } };
  expect(place).toEqual({ uri: pathToFileURL(join(folder, 'install-config.yaml')).href, range });
});

test('applies all safe fixes at once', async () => {
  const text = STATE.replace('type', 'tpye').replace('state', 'stat').replace('interfaces', 'interfacse');
  const textDocument = await opened(text, 'network-state.yaml');
  await client.published(textDocument.uri, 1);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const context = { diagnostics: [], only: ['source.fixAll'] };
  const actions = await client.connection.sendRequest(lsp.CodeActionRequest.type, { textDocument, range, context });
  const [action] = (actions ?? []) as lsp.CodeAction[];
  expect(action?.kind).toBe('source.fixAll.coreiso');
  expect(applied(text, action, textDocument.uri)).toContain('interfaces:');
});

test('completes, explains, outlines and finds declarations', async () => {
  const text = `${STATE}- name: eth0.7\n  type: vlan\n  state: up\n  vlan:\n    id: 7\n    base-iface: eth0\n`;
  const textDocument = await opened(text);
  const { connection } = client;
  const position = { line: 3, character: 9 };
  const words = (await connection.sendRequest(lsp.CompletionRequest.type, {
    textDocument,
    position,
  })) as lsp.CompletionItem[];
  expect(words.map(({ label }) => label)).toEqual(expect.arrayContaining(['up', 'down', 'absent']));
  const hover = await connection.sendRequest(lsp.HoverRequest.type, {
    textDocument,
    position: { line: 3, character: 3 },
  });
  expect(JSON.stringify(hover?.contents)).toContain('**state**');
  const symbols = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
  expect(JSON.stringify(symbols)).toContain('eth0.7');
  const place = await connection.sendRequest(lsp.DefinitionRequest.type, {
    textDocument,
    position: { line: 9, character: 18 },
  });
  expect(place).toMatchObject({ range: { start: { line: 1, character: 8 } } });
});

test.each([
  ['before its turn', async () => {}],
  ['at work', () => new Promise((resolve) => setTimeout(resolve, 30))],
])('ends a request that is cancelled %s', async (_, pause) => {
  const cards = Array.from({ length: 30 }, (_, index) => `- name: eth${index}\n  type: ethernet\n  stat: up\n`);
  const textDocument = await opened(`interfaces:\n${cards.join('')}`);
  await client.published(textDocument.uri, 1);
  const range = { start: { line: 0, character: 0 }, end: { line: 91, character: 0 } };
  const params = { textDocument, range, context: { diagnostics: [] } };
  const source = new lsp.CancellationTokenSource();
  const asked = client.connection.sendRequest(lsp.CodeActionRequest.type, params, source.token);
  await pause();
  source.cancel();
  await expect(asked).rejects.toMatchObject({ code: lsp.LSPErrorCodes.RequestCancelled });
});

test('sends no secrets for any request', async () => {
  const text = `apiVersion: v1\nbaseDomain: example.test\npullSecret: '{"auths": {"a.test": {"auth": "${SECRET}"}}'\nsshkey: x\n`;
  const textDocument = await opened(text, 'install-config.yaml');
  await client.published(textDocument.uri, 1);
  const { connection } = client;
  for (let character = 0; character < 60; character += 6) {
    const position = { line: 2, character };
    await connection.sendRequest(lsp.HoverRequest.type, { textDocument, position });
    await connection.sendRequest(lsp.CompletionRequest.type, { textDocument, position });
  }
  await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
  expect(client.wire()).not.toContain(SECRET);
});

describe('a change to a text', () => {
  test.each([
    ['all of it', { text: 'b' }, 'b'],
    ['a stretch', { range: { start: { line: 0, character: 1 }, end: { line: 1, character: 0 } }, text: '-' }, 'a-b\n'],
    [
      'behind the end',
      { range: { start: { line: 9, character: 0 }, end: { line: 9, character: 9 } }, text: 'c' },
      'a\nb\nc',
    ],
  ])('%s', (_, change, result) => {
    expect(changed('a\nb\n', change)).toBe(result);
  });
});
