import { PassThrough } from 'node:stream';
import * as lsp from 'vscode-languageserver/node';
import { run } from '../../src/main.ts';

/** An editor that speaks to `coreiso lsp` in this process. */
export interface Client {
  readonly connection: lsp.ProtocolConnection;
  /** Everything that the server wrote to standard error. */
  readonly said: () => string;
  /** Everything that went over the wire to the editor. */
  readonly wire: () => string;
  /** Findings of a file as they are published, the latest ones if no version is given. */
  published(uri: string, version?: number): Promise<lsp.PublishDiagnosticsParams>;
  /** Closes the connection; returns the exit status. */
  close(): Promise<number>;
}

export async function startClient(): Promise<Client> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let [said, wire] = ['', ''];
  stderr.on('data', (chunk) => {
    said += chunk;
  });
  const tap = new PassThrough();
  stdout.on('data', (chunk) => {
    wire += chunk;
    tap.write(chunk);
  });
  const signal = new AbortController().signal;
  const status = run(['lsp', '--stdio'], { cwd: '/', env: {}, stdin, stdout, stderr, invokedAs: 'coreiso', signal });
  const connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(tap), new lsp.StreamMessageWriter(stdin));
  const sent: lsp.PublishDiagnosticsParams[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
    sent.push(params);
    for (const look of waiting) look();
  });
  connection.listen();
  await connection.sendRequest(lsp.InitializeRequest.type, { processId: null, rootUri: null, capabilities: {} });
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  return {
    connection,
    said: () => said,
    wire: () => wire,
    published: (uri, version) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = sent.findLast((one) => one.uri === uri && (version === undefined || one.version === version));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      await connection.sendRequest(lsp.ShutdownRequest.type);
      await connection.sendNotification(lsp.ExitNotification.type);
      const exit = await status;
      connection.dispose();
      return exit;
    },
  };
}
