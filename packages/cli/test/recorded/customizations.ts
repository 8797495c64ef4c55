import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type Diagnostic, type Outcome, succeed } from '@coreiso/diagnostics';
import type { Customization, CustomizeContext, CustomizeOptions, NamedInput } from '@coreiso/ignition/customize';

/** Describes a recorded input; only the kinds in the customise cases. */
interface RecordedInput {
  readonly text?: string;
  readonly base64?: string;
  readonly fixture?: string;
  readonly stream?: { readonly seed: string; readonly bytes: number };
  readonly repeat?: { readonly text: string; readonly count: number };
}

export interface RecordedMember {
  readonly name: string;
  readonly sha256: string;
  readonly config?: unknown;
}

interface RecordedArchive {
  readonly members: readonly RecordedMember[];
}

interface RecordedFile {
  readonly regions?: readonly { readonly kind: string; readonly empty?: boolean; readonly archive?: RecordedArchive }[];
  readonly archive?: RecordedArchive;
}

export interface RecordedStep {
  readonly argv: readonly string[];
  readonly expect: {
    readonly exit: number;
    readonly stderr: { readonly text: string };
    readonly stdout?: RecordedFile;
    readonly files?: Readonly<Record<string, RecordedFile>>;
  };
}

export interface RecordedCase {
  readonly id: string;
  readonly inputs: Readonly<Record<string, RecordedInput>>;
  readonly steps: readonly RecordedStep[];
}

const ALL_FEATURES: CustomizeContext['features'] = {
  installerConfig: true,
  liveInitrdNetwork: true,
  installerConfigDirectives: { console: true },
};
const NO_DIRECTIVES: CustomizeContext['features'] = { installerConfig: true, liveInitrdNetwork: true };

/** Returns the features.json of the recorded images, and whether they have areas for kernel arguments. */
export function imageOf(test: RecordedCase, step: RecordedStep): Pick<CustomizeContext, 'features' | 'kargs'> {
  if (step.argv.includes('nofeat-initrd.img')) return { features: {}, kargs: true };
  const fixture = test.inputs['in.iso']?.fixture ?? '';
  const kargs = !fixture.includes('2020-09');
  if (/2020-09|2021-01|2021-09/.test(fixture)) return { features: {}, kargs };
  return { features: /2021-12|2022-02/.test(fixture) ? NO_DIRECTIVES : ALL_FEATURES, kargs };
}

const LISTS: Readonly<Record<string, keyof CustomizeOptions>> = {
  '--dest-console': 'destConsole',
  '--dest-karg-append': 'destKargAppend',
  '--dest-karg-delete': 'destKargDelete',
  '--live-karg-append': 'liveKargAppend',
  '--live-karg-delete': 'liveKargDelete',
  '--live-karg-replace': 'liveKargReplace',
};
const INPUTS: Readonly<Record<string, keyof CustomizeOptions>> = {
  '--dest-ignition': 'destIgnition',
  '--network-keyfile': 'networkKeyfile',
  '--network-nmstate': 'networkNmstate',
  '--ignition-ca': 'ignitionCa',
  '--pre-install': 'preInstall',
  '--post-install': 'postInstall',
  '--installer-config': 'installerConfig',
  '--live-ignition': 'liveIgnition',
};

/** Parses the options of a recorded command line. */
export function optionsOf(
  test: RecordedCase,
  step: RecordedStep,
  watched: (input: NamedInput) => NamedInput = (input) => input,
): CustomizeOptions {
  const options: Record<string, unknown[] | string> = {};
  const push = (key: string, value: unknown) => {
    options[key] = [...((options[key] as unknown[] | undefined) ?? []), value];
  };
  const words = [...step.argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name = word, joined] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    const value = () => joined ?? words.shift() ?? '';
    if (name === '--dest-device') options['destDevice'] = value();
    else if (name in LISTS) push(LISTS[name] as string, value());
    else if (name in INPUTS) push(INPUTS[name] as string, watched(inputOf(test, value())));
  }
  return options;
}

function inputOf(test: RecordedCase, name: string): NamedInput {
  return {
    name,
    read() {
      const input = test.inputs[name];
      if (input === undefined) throw new Error('No such file or directory (os error 2)');
      return contentOf(input);
    },
  };
}

function contentOf(input: RecordedInput): Uint8Array {
  if (input.text !== undefined) return new TextEncoder().encode(input.text);
  if (input.base64 !== undefined) return Buffer.from(input.base64, 'base64');
  if (input.repeat !== undefined) return new TextEncoder().encode(input.repeat.text.repeat(input.repeat.count));
  const { seed, bytes } = input.stream ?? { seed: '', bytes: 0 };
  const blocks = Array.from({ length: Math.ceil(bytes / 32) }, (_, index) =>
    createHash('sha256').update(`${seed}:${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}

/** Returns the members of the archive that the step wrote. */
export function membersOf({ expect }: RecordedStep): readonly RecordedMember[] {
  const files = [...Object.values(expect.files ?? {}), ...(expect.stdout === undefined ? [] : [expect.stdout])];
  for (const { archive, regions = [] } of files) {
    const written = archive ?? regions.find(({ kind }) => kind === 'initrd')?.archive;
    if (written !== undefined) return written.members;
  }
  return [];
}

/**
 * Stands in for the generator of keyfiles: returns the recorded members for the interfaces in the state, or the recorded
 * refusal.
 */
export function recordedKeyfiles(step: RecordedStep) {
  return (text: string): Outcome<Customization['changes']['keyfiles']> => {
    const { stderr } = step.expect;
    const [, cause] = /^Error: parsing nmstate\n\nCaused by:\n {4}(.*)\n$/.exec(stderr.text) ?? [];
    if (cause !== undefined) {
      const diagnostic: Diagnostic = { severity: 'error', code: 'nmstate/x', message: cause, path: [] };
      return { ok: false, diagnostics: [diagnostic] };
    }
    const [, clash] = /already specifies keyfile (?:.*\/)?(.*)\n/.exec(stderr.text) ?? [];
    const names = [...membersOf(step).map(({ name }) => name.split('/').at(-1) ?? ''), ...(clash ? [clash] : [])];
    const named = names.filter((name) => new RegExp(`\\b${name.replace('.nmconnection', '')}\\b`).test(text));
    return succeed(named.map((name) => ({ name, content: '' })));
  };
}

/** Unpacks everything in a config's data URLs, sorts keys and drops nulls: the recorded form. */
export function meaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaning);
  if (typeof value !== 'object' || value === null) return value;
  const { source, compression, ...rest } = value as Record<string, unknown>;
  const inside = typeof source === 'string' ? unpack(source, compression) : undefined;
  const members = inside === undefined ? (value as Record<string, unknown>) : { ...rest, ...inside };
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, member]) => member !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, inside !== undefined && key in inside ? member : meaning(member)]),
  );
}

function unpack(source: string, compression: unknown): Record<string, unknown> | undefined {
  const [, base64, data] = /^data:(;base64)?,(.*)$/s.exec(source) ?? [];
  if (data === undefined) return undefined;
  const raw = base64 === undefined ? Buffer.from(decodeURIComponent(data)) : Buffer.from(data, 'base64');
  const bytes = compression === 'gzip' ? gunzipSync(raw) : raw;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (/^\{"ignition":/.test(text)) return { config: meaning(JSON.parse(text)) };
    return { text };
  } catch {
    return { base64: bytes.toString('base64') };
  }
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
