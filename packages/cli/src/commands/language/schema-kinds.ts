/** A copy of `KINDS` of `@coreiso/language`, which is loaded on use. */
export const SCHEMA_KINDS = [
  'nodes-config',
  'agent-config',
  'install-config',
  'nmstateconfig',
  'infraenv',
  'network-state',
  'ignition',
] as const;
