import type { Diagnostic } from '@coreiso/diagnostics';
import {
  type Customization,
  type CustomizeContext,
  type CustomizeOptions,
  customizeOrThrow,
  type NamedInput,
} from '@coreiso/ignition/customize';
import type { Arguments } from '../frame/arguments.ts';
import { inputName, wholeFile } from '../frame/input.ts';
import type { Terminal } from '../frame/terminal.ts';
import { isStandIn } from '../frame/version.ts';

/** Computes the result of a `customize` command's options, and prints the messages of coreos-installer. */
export async function customization(
  args: Arguments,
  terminal: Terminal,
  context: Pick<CustomizeContext, 'features' | 'target' | 'kargs'>,
): Promise<Customization['changes']> {
  let last: { readonly name: string; readonly bytes: Uint8Array } = { name: '', bytes: new Uint8Array() };
  let mistakes: string | undefined;
  const read = async (name: string): Promise<Uint8Array> => {
    last = { name, bytes: await wholeFile(terminal, name) };
    return last.bytes;
  };
  try {
    const { changes } = await customizeOrThrow(optionsOf(args, read), {
      ...context,
      newer: 'refuse',
      mode: 'compatible',
      signal: terminal.io.signal,
      onMessage: (message) => terminal.sayText(message),
      toKeyfiles: async (text) => {
        const { generateKeyfiles } = await import('@coreiso/nmstate');
        const outcome = generateKeyfiles(text, { mode: 'compatible' });
        if (!outcome.ok && !isStandIn(terminal.io.invokedAs)) {
          mistakes = placesOf(last.name, [...generateKeyfiles(text).diagnostics, ...outcome.diagnostics]);
        }
        return outcome;
      },
    });
    return changes;
  } catch (error) {
    throw (await import('./words/refusal.ts')).asUpstreamRefuses(error, last.bytes, mistakes);
  }
}

/** More than people read on one line. */
const MOST_MISTAKES = 20;

/**
 * Lists all mistakes with file and line. Upstream names neither, and stops at the first mistake. Under our own name this
 * list replaces nmstate's wording in the last line; scripts look for the lines before it.
 */
function placesOf(name: string, findings: readonly Diagnostic[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const lines = errors.map(({ message, range }) => {
    const place = range === undefined ? '' : `:${range.start.line}:${range.start.column}`;
    return `${inputName(name)}${place}: ${message}`;
  });
  return [...new Set(lines)].slice(0, MOST_MISTAKES).join('; ');
}

function optionsOf(args: Arguments, read: (name: string) => Promise<Uint8Array>): CustomizeOptions {
  const files = (option: string): NamedInput[] => args.list(option).map((name) => ({ name, read: () => read(name) }));
  const destDevice = args.optional('dest-device');
  return {
    destIgnition: files('dest-ignition'),
    destDevice,
    destConsole: args.list('dest-console'),
    destKargAppend: args.list('dest-karg-append'),
    destKargDelete: args.list('dest-karg-delete'),
    networkKeyfile: files('network-keyfile'),
    networkNmstate: files('network-nmstate'),
    ignitionCa: files('ignition-ca'),
    preInstall: files('pre-install'),
    postInstall: files('post-install'),
    installerConfig: files('installer-config'),
    liveIgnition: files('live-ignition'),
    liveKargAppend: args.list('live-karg-append'),
    liveKargDelete: args.list('live-karg-delete'),
    liveKargReplace: args.list('live-karg-replace'),
  };
}
