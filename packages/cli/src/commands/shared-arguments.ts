import type { Option, Positional } from '../frame/usage.ts';

/** The image argument. */
export const isoFile: Positional = {
  name: 'ISO',
  required: true,
  help: 'Image file; to read it also an address, stream:NAME or release:PULLSPEC',
};

/** The destination of an edited image. */
export const output: Option = {
  name: 'output',
  short: 'o',
  value: 'path',
  help: 'File to write, - for stdout (default: in place)',
};

/**
 * Options that decide whether content that does not fit makes the image longer. coreos-installer never grows an image, so
 * its commands do not by default.
 */
export function growOptions(byDefault: 'grow' | 'no-grow'): readonly Option[] {
  const [grow, noGrow] = ['Make the image longer if needed', 'Fail if the config does not fit'];
  const isRare = (name: string): Pick<Option, 'rare'> => (name === byDefault ? { rare: true } : {});
  return [
    { name: 'grow', ...isRare('grow'), help: byDefault === 'grow' ? `${grow} (default)` : grow },
    {
      name: 'no-grow',
      conflicts: ['grow'],
      ...isRare('no-grow'),
      help: byDefault === 'no-grow' ? `${noGrow} (default)` : noGrow,
    },
  ];
}

/** Only coreiso has this option: coreos-installer, like cp, leaves syncing to the operating system. */
export const sync: Option = { name: 'sync', rare: true, help: 'Wait until a new file would survive a power loss' };

export const keyfiles: Option = {
  name: 'keyfile',
  short: 'k',
  value: 'path',
  required: true,
  repeatable: true,
  help: 'NetworkManager keyfile to embed',
};

/** JSON output ends up in logs and tickets, so secrets need an explicit option. */
export const showSecrets: Option = {
  name: 'show-secrets',
  help: 'Print secrets instead of <redacted>',
};

export function force(help: string): Option {
  return { name: 'force', short: 'f', help };
}

export function directory(help: string): Option {
  return { name: 'directory', short: 'C', value: 'path', help };
}

export const json: Option = { name: 'json', help: 'Print the result as JSON' };

/** Options that select the cluster, for commands that always connect to one. */
export const kubeconfigOptions: readonly Option[] = [
  { name: 'kubeconfig', value: 'FILE', help: 'Kubeconfig of the cluster' },
  { name: 'context', value: 'NAME', help: 'Kubeconfig context (default: current)' },
];

/** Options that select the cluster, for commands that connect only on request. */
export const liveOptions: readonly Option[] = [
  { name: 'live', conflicts: ['cluster'], help: 'Read the cluster facts through the kubeconfig' },
  ...kubeconfigOptions.map((option) => ({ ...option, conflicts: ['cluster'] })),
];

/** Checks for 64 hexadecimal digits. */
export function checkDigest(text: string): void {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error('expected 64 hexadecimal digits');
}

/** Checks `HOST=ADDRESS`. */
export function hostAddress(text: string): void {
  if (!/^[^=]+=(?:\[[0-9a-fA-F:.]+\](?::\d+)?|[^:\s]+(?::\d+)?|[0-9a-fA-F:.]+)$/.test(text)) {
    throw new Error('expected a host and its address, such as node1=192.0.2.11 or node1=192.0.2.11:2222');
  }
}
