import { gunzipSync } from 'node:zlib';
import { isGenerated, openArchive, openConfig, sha256 } from './archive.ts';
import type {
  Expectation,
  RecordedArchive,
  RecordedContent,
  RecordedFile,
  RecordedMember,
  RecordedRegion,
} from './recording.ts';
import { type FoundFile, type StepResult, steady } from './run-case.ts';
import { unxz } from './unxz.ts';

/**
 * The required equality: all bytes; archives before compression; or the meaning of archives, if a generated config may
 * compress its parts differently.
 */
export type Level = 'bytes' | 'archives' | 'meaning';

/** Lists all differences between a step and its recording. */
export function differences(expected: Expectation, result: StepResult, level: Level): string[] {
  const { exit, stdout, stderr, files, removed = [] } = expected;
  const crashed = stderr.panic === true;
  return [
    ...differ('exit', crashed ? result.status !== 0 : result.status, crashed ? true : exit),
    ...(crashed ? [] : stdoutDifferences(stdout, result, level)),
    ...stderrDifferences(expected, steady(result.stderr, result.directory), level),
    ...Object.entries(files).flatMap(([name, file]) =>
      fileDifferences(name, file, result.files.get(name), result, level),
    ),
    ...[...result.files.keys()].filter((name) => !(name in files)).map((name) => `${name}: should not be there`),
    ...differ('removed', [...result.removed].sort(), [...removed].sort()),
  ];
}

function differ(what: string, found: unknown, expected: unknown): string[] {
  const [a, b] = [JSON.stringify(found) ?? '', JSON.stringify(expected) ?? ''];
  return a === b ? [] : [`${what}: ${a.slice(0, 400)} instead of ${b.slice(0, 400)}`];
}

function stdoutDifferences(expected: Expectation['stdout'], result: StepResult, level: Level): string[] {
  const { stdout } = result;
  if ('any' in expected) return stdout.length === 0 ? ['stdout: empty'] : [];
  if ('sha256' in expected) return contentDifferences('stdout', expected, stdout, result, level);
  const text = stdout.toString();
  if (level === 'meaning' && isGenerated(expected.text) && isGenerated(text)) {
    return differ('stdout', openConfig(text), openConfig(expected.text));
  }
  return differ('stdout', text, expected.text);
}

function stderrDifferences({ exit, stderr }: Expectation, found: string, level: Level): string[] {
  const { text = '', panic, help, race, loose } = stderr;
  if (panic || help || race || found === text) return [];
  if (exit === 2) return differ('stderr', found.split('\n')[0], text.split('\n')[0]);
  const comparable = (said: string): string => loosened(level === 'bytes' ? said : withoutSizes(said), loose);
  return differ('stderr', comparable(found), comparable(text));
}

/** Removes sizes of compressed data, which depend on the encoder. */
function withoutSizes(text: string): string {
  return text.replace(/(too large: |\(compressed\): )\d+/, '$1N');
}

function loosened(text: string, loose: Expectation['stderr']['loose']): string {
  switch (loose) {
    case undefined:
      return text;
    case 'number':
      return withoutSizes(text);
    case 'head':
      return text.replace(/\n\nCaused by:.*/s, '');
    case 'cause':
      return text.replace(/.*\n$/, '');
  }
}

function fileDifferences(
  name: string,
  expected: RecordedFile,
  found: FoundFile | undefined,
  result: StepResult,
  level: Level,
): string[] {
  if (found === undefined) return [`${name}: not written`];
  const kind = 'dir' in expected ? 'directory' : 'other' in expected ? 'other' : 'file';
  return [
    ...differ(`${name}: kind`, found.kind, kind),
    ...(expected.mode === undefined ? [] : differ(`${name}: mode`, found.mode, modeHere(expected.mode))),
    ...('sha256' in expected ? contentDifferences(name, expected, found.data, result, level) : []),
  ];
}

/** Adapts a mode, recorded under umask 022, to the current umask. */
function modeHere(recorded: string): string {
  const open = { '0644': 0o666, '0755': 0o777 }[recorded];
  return open === undefined ? recorded : (open & ~process.umask()).toString(8).padStart(4, '0');
}

function contentDifferences(
  what: string,
  expected: RecordedContent,
  found: Buffer,
  { before }: StepResult,
  level: Level,
): string[] {
  if (sha256(found) === expected.sha256) return [];
  if (level === 'bytes') return [`${what}: ${found.length} other bytes than the ${expected.bytes} recorded ones`];
  const { regions, archive, prefix, outside } = expected;
  if (regions !== undefined) {
    const rest = Buffer.from(found);
    for (const { offset, length } of regions) rest.fill(0, offset, offset + length);
    return [
      ...(sha256(rest) === outside ? [] : [`${what}: differs outside of the areas`]),
      ...regions.flatMap((region) => regionDifferences(what, region, found, level)),
    ];
  }
  if (archive === undefined) return [`${what}: differs`];
  const start = prefix?.bytes ?? 0;
  const copied = prefix === undefined || before.get(prefix.file)?.data.equals(found.subarray(0, start));
  return [
    ...(copied ? [] : [`${what}: does not begin with ${prefix?.file}`]),
    ...archiveDifferences(what, archive, found.subarray(start), level),
  ];
}

function regionDifferences(what: string, region: RecordedRegion, image: Buffer, level: Level): string[] {
  const found = image.subarray(region.offset, region.offset + region.length);
  if (sha256(found) === region.sha256) return [];
  const place = `${what}: ${region.kind} area at ${region.offset}`;
  if (region.archive !== undefined) return archiveDifferences(place, region.archive, found, level);
  return region.miniso === undefined ? [`${place} differs`] : recipeDifferences(place, region.miniso, found);
}

function archiveDifferences(what: string, expected: RecordedArchive, found: Buffer, level: Level): string[] {
  let opened: ReturnType<typeof openArchive>;
  try {
    opened = openArchive(found);
  } catch (error) {
    return [`${what}: ${error}`];
  }
  if (sha256(opened.cpio) === expected.cpio.sha256) return [];
  if (level === 'archives') return [`${what}: another archive before compression`];
  const head = ({ name, mode }: { name: string; mode: string | number }): string =>
    `${typeof mode === 'number' ? mode.toString(8).padStart(7, '0') : mode} ${name}`;
  return [
    ...differ(`${what}: members`, opened.members.map(head), expected.members.map(head)),
    ...expected.members.flatMap((member, index) => memberDifferences(what, member, opened.members[index]?.data)),
  ];
}

function memberDifferences(what: string, expected: RecordedMember, found: Buffer | undefined): string[] {
  const place = `${what}: ${expected.name}`;
  if (found === undefined || expected.sha256 === undefined || sha256(found) === expected.sha256) return [];
  if (expected.opened !== undefined) return differ(place, openConfig(found.toString()), expected.opened);
  if (expected.config !== undefined)
    return differ(place, meaningOf(openConfig(found.toString())), meaningOf(expected.config));
  return [`${place} differs`];
}

/** Removes nulls and the order of keys, which older recordings lack. */
function meaningOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningOf);
  if (typeof value !== 'object' || value === null) return value;
  const { source, compression: _, ...rest } = value as Record<string, unknown>;
  const isOpened = typeof source === 'object' && source !== null;
  return Object.fromEntries(
    Object.entries(isOpened ? { ...rest, ...source } : value)
      .filter(([, member]) => member !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, meaningOf(member)]),
  );
}

/** Compares `miniso.dat`, except for the program version and the compression of its stream. */
function recipeDifferences(what: string, expected: unknown, found: Buffer): string[] {
  const { app: _, used: __, ...recorded } = expected as Record<string, unknown>;
  return differ(what, describeRecipe(found), recorded);
}

/** Describes a recipe without coreiso's reader. */
export function describeRecipe(bytes: Buffer): object {
  let at = 8;
  const number = (): number => {
    const first = bytes[at++] ?? 0;
    const width = { 251: 2, 252: 4, 253: 6 }[first] ?? 0;
    if (width === 0) return first;
    const value = bytes.readUIntLE(at, width);
    at += first === 253 ? 8 : width;
    return value;
  };
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const version = number();
  take(number());
  const entries = Array.from({ length: number() }, () => [number(), number(), number()]);
  const digest = take(32).toString('hex');
  const packed = take(number());
  const stream = packed[0] === 0x1f ? gunzipSync(packed) : unxz(packed);
  return { version, entries, digest, stream: { bytes: stream.length, sha256: sha256(stream) } };
}
