const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Texts of the section "Documents". */
export const documents = {
  tabs: 'Documents of this task',
  names: {
    'nodes-config': 'nodes-config',
    'cluster-facts': 'Cluster facts',
    'install-config': 'install-config',
    'agent-config': 'agent-config',
    'network-state': 'Network state',
    ignition: 'Ignition config',
  },
  purposes: {
    'nodes-config': 'The hosts to add: names, network cards, disks and networks, one entry each.',
    'cluster-facts':
      'Facts about your cluster, so that hosts can join it as workers. Export them with "coreiso nodes facts -o cluster.json". Without them, hosts only get their network.',
    'install-config': 'The new cluster: name, networks, number of machines, pull secret.',
    'agent-config': 'The machines of the new cluster: the rendezvous host, network cards, disks and networks.',
    'network-state': 'The network of the machine in nmstate’s format; it becomes NetworkManager keyfiles.',
    ignition: 'An Ignition config for the live system or for the installed one.',
  },
  empty: (name: string): string => `No ${name} yet`,
  template: 'Start from a template',
  open: 'Open a file…',
  blank: 'Write it here',
  saveDocument: 'Save this file',
  clear: 'Remove',
  dropHint: 'You can also drop files anywhere on this page.',
  findings: 'Findings',
  counts: (errors: number, warnings: number, notes: number): string =>
    errors + warnings + notes === 0
      ? 'No problems found.'
      : [
          errors > 0 && plural(errors, 'error', 'errors'),
          warnings > 0 && plural(warnings, 'warning', 'warnings'),
          notes > 0 && plural(notes, 'note', 'notes'),
        ]
          .filter((part) => part !== false)
          .join(', '),
  more: (count: number): string => `and ${count} more`,
  line: (line: number): string => `line ${line}`,
  whole: 'whole file',
  severities: { error: 'error', warning: 'warning', info: 'note' },
  unknownFile: (name: string): string =>
    `${name} is none of the documents that this page knows. Open it from the tab where it belongs.`,
  keyboardHint: 'Ctrl+Space completes; Escape, then Tab leaves the editor.',
} as const;
