import type { Command } from '../../frame/command.ts';
import { SCHEMA_KINDS } from './schema-kinds.ts';

/** Commands for editors. */
export const languageCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'schema',
    summary: 'Print the JSON Schema of a kind of document',
    about:
      'For editors and validators that use JSON Schema (draft 7). A schema has the names and types of keys, but no rules about several of them: those are in the check commands and in lsp.',
    positionals: [{ name: 'KIND', required: true, choices: SCHEMA_KINDS, help: `One of ${SCHEMA_KINDS.join(', ')}` }],
    examples: ['coreiso schema nodes-config > nodes-config.schema.json'],
    load: async () => (await import('./schema.ts')).printSchema,
  },
  {
    kind: 'command',
    name: 'lsp',
    summary: 'Run the language server for editors',
    about:
      'Editors start it. It has findings while typing, quick fixes, completion, hover, outline and definitions in nodes-config, agent-config, install-config, manifests, network states and Ignition configs. It detects the kind of a document by name and contents, reads the install config beside an agent-config, and writes no file. The README of coreiso has the lines for Neovim, Helix, Emacs, JetBrains and VS Code.',
    options: [{ name: 'stdio', help: 'Accepted for compatibility; ignored' }],
    examples: ['coreiso lsp --stdio'],
    load: async () => (await import('./lsp.ts')).lsp,
  },
];
