import type { Command } from '../frame/command.ts';
import type { Option } from '../frame/usage.ts';

const stream: readonly Option[] = [
  { name: 'stream', short: 's', value: 'name', help: 'Fedora CoreOS stream (default: stable)' },
];

const url = async (text: string): Promise<void> => {
  const problem = (await import('../drop-in/download/sources.ts')).urlProblem(text);
  if (problem !== undefined) throw new Error(problem);
};

const baseUrl: Option = {
  name: 'stream-base-url',
  value: 'URL',
  check: url,
  help: 'Base URL for Fedora CoreOS stream metadata',
};

/** `coreos-installer download`. */
export const downloadCommand: Command = {
  kind: 'command',
  name: 'download',
  standsIn: true,
  summary: 'Download a CoreOS image, as coreos-installer does',
  about:
    'Checks the OpenPGP signature of each file against the keys of Fedora and Red Hat, and keeps a file that exists and is good. COREISO_SIGNING_KEYS names a file with further public keys.',
  options: [
    ...stream,
    { name: 'architecture', short: 'a', value: 'name', help: 'Target CPU architecture (default: of this machine)' },
    { name: 'platform', short: 'p', value: 'name', help: 'Fedora CoreOS platform name (default: metal)' },
    { name: 'format', short: 'f', value: 'name', help: 'Image format (default: raw.xz)' },
    { name: 'image-url', short: 'u', value: 'URL', check: url, help: 'Image URL, instead of a stream' },
    { name: 'directory', short: 'C', value: 'path', help: 'Destination directory (default: .)' },
    { name: 'decompress', short: 'd', help: "Decompress the image and don't save the signature" },
    { name: 'insecure', help: 'Allow an image without a signature' },
    baseUrl,
    {
      name: 'fetch-retries',
      value: 'N',
      check: async (text) => void (await import('../drop-in/download/sources.ts')).retriesOf(text),
      help: 'Fetch retries, or "infinite" (default: 0)',
    },
  ],
  examples: ['coreiso download -f iso', 'coreiso download -s next -p qemu -f qcow2.xz -d -C images'],
  load: async () => (await import('../drop-in/download/download.ts')).download,
};

/** `coreos-installer list-stream`. */
export const listStreamCommand: Command = {
  kind: 'command',
  name: 'list-stream',
  standsIn: true,
  summary: 'List available images in a Fedora CoreOS stream',
  options: [...stream, baseUrl],
  examples: ['coreiso list-stream', 'coreiso list-stream -s next'],
  load: async () => (await import('../drop-in/download/list-stream.ts')).listStream,
};
