// The JSON files under `/coreos`, formatted as by the builder: sorted keys, two spaces, a newline at the end.

import { defaultKargs, type KargsFile, kargsAreaSize } from './kargs.ts';
import type { SampleKind } from './kinds.ts';

/** Keys of the installer's configuration in images since September 2022. */
const DIRECTIVES = [
  'append-karg',
  'architecture',
  'console',
  'copy-network',
  'delete-karg',
  'dest-device',
  'fetch-retries',
  'ignition-file',
  'ignition-hash',
  'ignition-url',
  'image-file',
  'image-url',
  'insecure',
  'insecure-ignition',
  'network-dir',
  'offline',
  'platform',
  'preserve-on-error',
  'save-partindex',
  'save-partlabel',
  'stream',
  'stream-base-url',
];

/** `features.json`; `undefined` for kinds without it. */
export function featuresFile(kind: SampleKind): Uint8Array | undefined {
  if (kind.features === 'absent') return undefined;
  const directives = Object.fromEntries(DIRECTIVES.map((directive) => [directive, true]));
  return json({
    'installer-config': true,
    ...(kind.features === 'directives' ? { 'installer-config-directives': directives } : {}),
    'live-initrd-network': true,
  });
}

/** `kargs.json`; `undefined` for kinds without it. */
export function kargsFile(kind: SampleKind, files: readonly KargsFile[]): Uint8Array | undefined {
  if (kind.kargsFile === 'absent') return undefined;
  const [end, pad] = kind.architecture === 's390x' ? ['\0', '\0'] : ['\n', '#'];
  return json({
    default: defaultKargs(kind),
    files: files.map(({ path, offset }) => (kind.kargsFile === 'fill' ? { end, offset, pad, path } : { offset, path })),
    size: kargsAreaSize(kind),
  });
}

/** `igninfo.json` for an area that is a whole file or a part of one. */
export function igninfoFile(area: { file: string; length?: number; offset?: number }): Uint8Array {
  return json(area);
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
