import {
  type Customization,
  type CustomizeContext,
  type CustomizeOptions,
  customizeOrThrow,
  type NamedInput,
} from '@coreiso/ignition/customize';
import type { Arguments } from '../frame/arguments.ts';
import { wholeFile } from '../frame/input.ts';
import type { Terminal } from '../frame/terminal.ts';

/** What the options of a `customize` command amount to. Says on the way what coreos-installer says. */
export async function customization(
  args: Arguments,
  terminal: Terminal,
  context: Pick<CustomizeContext, 'features' | 'target' | 'kargs'>,
): Promise<Customization['changes']> {
  let last: Uint8Array = new Uint8Array();
  const read = async (name: string): Promise<Uint8Array> => {
    last = await wholeFile(terminal, name);
    return last;
  };
  try {
    const { changes } = await customizeOrThrow(optionsOf(args, read), {
      ...context,
      newer: 'refuse',
      mode: 'compatible',
      signal: terminal.io.signal,
      onMessage: (message) => terminal.sayText(message),
      toKeyfiles: async (text) => (await import('@coreiso/nmstate')).generateKeyfiles(text, { mode: 'compatible' }),
    });
    return changes;
  } catch (error) {
    throw (await import('./words/refusal.ts')).asUpstreamRefuses(error, last);
  }
}

function optionsOf(args: Arguments, read: (name: string) => Promise<Uint8Array>): CustomizeOptions {
  const files = (option: string): NamedInput[] => args.list(option).map((name) => ({ name, read: () => read(name) }));
  const destDevice = args.optional('dest-device');
  return {
    destIgnition: files('dest-ignition'),
    ...(destDevice === undefined ? {} : { destDevice }),
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
