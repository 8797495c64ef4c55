import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeError } from '@coreiso/diagnostics';
import { Workspace } from '@coreiso/language';
import type { Action } from '../../frame/command.ts';
import { LanguageServer } from './server.ts';

/** The size limit of an install config that is read beside an agent-config. */
const LARGEST = 4 * 1024 * 1024;

/** `coreiso lsp`: serves standard input and output until the editor exits. */
export const lsp: Action = async (_, terminal) => {
  const protocol = await import('vscode-languageserver/node');
  const { stdin, stdout, signal } = terminal.io;
  const reader = new protocol.StreamMessageReader(stdin);
  const writer = new protocol.StreamMessageWriter(stdout);
  const { RequestCancelled: code } = protocol.LSPErrorCodes;
  const connection = protocol.createProtocolConnection(reader, writer, undefined, {
    // Without a strategy the library forgets that a queued request was cancelled.
    connectionStrategy: {
      cancelUndispatched: ({ jsonrpc, ...message }) => ({
        jsonrpc,
        id: 'id' in message ? (message.id as number) : null,
        error: { code, message: 'cancelled' },
      }),
    },
  });
  // The library's errors quote broken messages, which contain the user's text.
  connection.onError(() => terminal.say('coreiso lsp: a message of the editor cannot be read'));
  signal.addEventListener('abort', () => connection.dispose(), { once: true });
  const complain = (error: unknown): void => terminal.say(`coreiso lsp: ${describeError(error)}`);
  const server = new LanguageServer(connection, new Workspace({ readFile }), { readFile, complain });
  const status = await server.run(protocol);
  signal.throwIfAborted();
  return status;
};

/** Returns the text of a small file; undefined for everything else. */
function readFile(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    const path = fileURLToPath(uri);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size <= LARGEST ? readFileSync(path, 'utf8') : undefined;
  } catch {
    // For an editor, an unreadable file does not exist.
    return undefined;
  }
}
