import type { Command } from '../../frame/command.ts';

/** As `KINDS` of `@coreiso/language`, which is loaded on use. */
export const SCHEMA_KINDS = [
  'nodes-config',
  'agent-config',
  'install-config',
  'nmstateconfig',
  'infraenv',
  'network-state',
  'ignition',
] as const;

/** What editors need. */
export const languageCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'schema',
    summary: 'Print the JSON Schema of a kind of document',
    about:
      'For editors and validators that check by JSON Schemas (draft 7). A schema knows names and types of members, but no rules about several of them; the check commands and lsp know all.',
    positionals: [{ name: 'KIND', required: true, choices: SCHEMA_KINDS, help: `One of ${SCHEMA_KINDS.join(', ')}` }],
    examples: ['coreiso schema nodes-config > nodes-config.schema.json'],
    load: async () => (await import('./schema.ts')).printSchema,
  },
];
