import type { Command } from '../../frame/command.ts';
import { SERVER_HELP, serverOptions } from './options.ts';

/** Serves files as they are. */
export const serveCommand: Command = {
  kind: 'command',
  name: 'serve',
  summary: 'Serve images over HTTP by ranges',
  about: SERVER_HELP,
  positionals: [
    {
      name: 'FILE|URL',
      required: true,
      repeatable: true,
      help: 'What to serve, each under its own name; also stream:NAME and release:PULLSPEC',
    },
  ],
  options: serverOptions,
  examples: [
    'coreiso serve rhcos-live.iso',
    'coreiso serve --listen 0.0.0.0:8080 --token-file token worker-*.iso',
    'coreiso serve https://mirror.example/rhcos-live.iso',
  ],
  load: async () => (await import('./serve.ts')).serve,
};
