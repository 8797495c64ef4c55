import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The parts of VS Code and of the client's package that the extension uses. */
function loaded(command: string): {
  exports: Record<string, () => unknown>;
  started: unknown[];
  stopped: () => boolean;
} {
  const started: unknown[] = [];
  let isStopped = false;
  class LanguageClient {
    constructor(...given: unknown[]) {
      started.push(...given);
    }
    async start(): Promise<void> {}
    async stop(): Promise<void> {
      isStopped = true;
    }
  }
  const vscode = {
    workspace: {
      getConfiguration: () => ({ get: () => command }),
      createFileSystemWatcher: (pattern: string) => pattern,
    },
  };
  const modules: Record<string, unknown> = { vscode, 'vscode-languageclient/node': { LanguageClient } };
  const exports: Record<string, () => unknown> = {};
  new Function('require', 'exports', read('src/extension.cjs'))((name: string) => modules[name], exports);
  return { exports, started, stopped: () => isStopped };
}

test('starts the language server in the settings, and stops it', async () => {
  const { exports, started, stopped } = loaded('/opt/coreiso');
  await exports['activate']?.();
  expect(started[1]).toEqual({ command: '/opt/coreiso', args: ['lsp'] });
  expect(started[2]).toMatchObject({
    documentSelector: [{ language: 'yaml' }, { language: 'json', pattern: '**/*.ign' }],
  });
  await exports['deactivate']?.();
  expect(stopped()).toBe(true);
});

test('names the file that VS Code loads', () => {
  const { main, activationEvents } = JSON.parse(read('package.json'));
  expect(read(main)).toContain('exports.activate');
  expect(activationEvents).toContain('onLanguage:yaml');
});
