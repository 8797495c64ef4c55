import type { Option, Positional } from '../frame/usage.ts';

/** The image that a command is about. */
export const isoFile: Positional = {
  name: 'ISO',
  required: true,
  help: 'Path of an ISO image; to read from also its http(s) address, stream:NAME or release:PULLSPEC',
};

/** Where an edited image goes. */
export const output: Option = {
  name: 'output',
  short: 'o',
  value: 'path',
  help: 'Write a new file, or - for standard output, instead of changing the image',
};

/** Ours: coreos-installer refuses what does not fit. */
export const grow: Option = { name: 'grow', help: 'Make the image longer where the area is too small' };

/** Ours: coreos-installer, like cp, leaves that to the operating system. */
export const sync: Option = { name: 'sync', help: 'Wait until a new file would survive a loss of power' };

export const keyfiles: Option = {
  name: 'keyfile',
  short: 'k',
  value: 'path',
  required: true,
  repeatable: true,
  help: 'NetworkManager keyfile to embed',
};

/** What is printed as JSON is for logs and tickets, too, and so it takes a word to have secrets in it. */
export const showSecrets: Option = {
  name: 'show-secrets',
  help: 'Print passwords, keys, tokens and pull secrets, too, instead of <redacted>',
};

export function force(help: string): Option {
  return { name: 'force', short: 'f', help };
}

export function directory(help: string): Option {
  return { name: 'directory', short: 'C', value: 'path', help };
}

/** Which cluster, for commands that always speak to one. */
export const kubeconfigOptions: readonly Option[] = [
  { name: 'kubeconfig', value: 'FILE', help: 'How to reach the cluster; KUBECONFIG, else ~/.kube/config, by default' },
  { name: 'context', value: 'NAME', help: 'Kubeconfig context (default: current)' },
];

/** For commands that speak to a cluster only where they are asked to. */
export const liveOptions: readonly Option[] = [
  { name: 'live', conflicts: ['cluster'], help: 'Ask the cluster of the kubeconfig instead of reading --cluster' },
  ...kubeconfigOptions.map((option) => ({ ...option, conflicts: ['cluster'] })),
];

/** 64 hexadecimal digits. */
export function checkDigest(text: string): void {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error('expected 64 hexadecimal digits');
}
