import type { Command } from '../../frame/command.ts';
import { SERVER_HELP, serverOptions } from './options.ts';

/** The command that serves files unchanged. */
export const serveCommand: Command = {
  kind: 'command',
  name: 'serve',
  summary: 'Serve images over HTTP, with ranges',
  about: 'Prints the address of each file. Other machines need the token that is part of it.',
  details: `${SERVER_HELP}

A changed file gets another entity tag. Servers with the same --token-file have the same addresses; with --copies files of the same bytes also have the same tags.`,
  positionals: [
    {
      name: 'FILE|URL',
      required: true,
      repeatable: true,
      help: 'Files to serve, each under its own name; also stream:NAME and release:PULLSPEC',
    },
  ],
  options: [
    ...serverOptions,
    {
      name: 'copies',
      help: 'Give copies of a file on other servers the same entity tag; reads each file once',
    },
  ],
  examples: [
    'coreiso serve rhcos-live.iso',
    'coreiso serve --token worker-0.iso',
    'coreiso serve --listen 0.0.0.0:8080 --token-file token worker-*.iso',
    'coreiso serve https://mirror.example/rhcos-live.iso',
  ],
  load: async () => (await import('./serve.ts')).serve,
};
