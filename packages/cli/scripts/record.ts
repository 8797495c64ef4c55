// Runs the cases with the real coreos-installer and records the results.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describeArchive, sha256 } from '../test/recorded/archive.ts';
import { describeRecipe } from '../test/recorded/compare.ts';
import type {
  Case,
  Expectation,
  RecordedContent,
  RecordedFile,
  RecordedRegion,
  RecordedStep,
  Step,
} from '../test/recorded/recording.ts';
import { type FoundFile, type Program, runCase, type StepResult, steady } from '../test/recorded/run-case.ts';
import { cases } from './cases.ts';

const PROGRAM = 'coreos-installer';

/** Returns the recordings as text, by file name; `names` selects some of them. */
export async function record(names: readonly string[] = []): Promise<[name: string, text: string][]> {
  process.umask(0o022);
  const tool = (await real(['--version'], { cwd: tmpdir() })).stdout.toString().trim();
  const files: [string, string][] = [];
  for (const [name, list] of Object.entries(cases)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const lines: string[] = [];
    for (const test of list) lines.push(JSON.stringify(await recordCase(test)));
    files.push([`${name}.json`, `{"tool":${JSON.stringify(tool)},"cases":[\n${lines.join(',\n')}\n]}\n`]);
  }
  return files;
}

const real = (async (argv, { cwd, input, env }) => {
  const own = env === undefined ? {} : { ...env, PATH: `${ownKeys()}:${process.env['PATH']}` };
  const child = spawn(PROGRAM, argv, {
    cwd,
    env: { ...process.env, LC_ALL: 'C', RUST_BACKTRACE: '0', ...own },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([
    buffer(child.stdout ?? Readable.from([])),
    text(child.stderr ?? Readable.from([])),
  ]);
  const [status] = await ended;
  return { status: status ?? -1, stdout, stderr };
}) satisfies Program;

let wrapper: string | undefined;

/** Returns a directory with a gpg wrapper that imports our keys instead of the program's. */
function ownKeys(): string {
  if (wrapper !== undefined) return wrapper;
  wrapper = mkdtempSync(join(tmpdir(), 'coreiso-record-'));
  const gpg = execFileSync('sh', ['-c', 'command -v gpg']).toString().trim();
  const script = `#!/bin/sh
case " $* " in *" --import "*) cat > /dev/null; exec ${gpg} "$@" < "$COREISO_SIGNING_KEYS";; esac
exec ${gpg} "$@"
`;
  writeFileSync(join(wrapper, 'gpg'), script, { mode: 0o755 });
  process.once('exit', () => rmSync(wrapper ?? '', { recursive: true, force: true }));
  return wrapper;
}

async function recordCase(test: Case): Promise<Case<RecordedStep>> {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-record-'));
  const steps: RecordedStep[] = [];
  try {
    const results: [Step, StepResult][] = [];
    await runCase(real, test, folder, (step, result) => results.push([step, result]));
    for (const [step, result] of results) steps.push({ ...step, expect: await describe(step.argv, result) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...test, steps };
}

async function describe(argv: readonly string[], result: StepResult): Promise<Expectation> {
  const { status: exit, stdout, directory, files, removed, before } = result;
  const content = (bytes: Buffer): Promise<RecordedContent> => describeContent(bytes, copiedFile(argv, before));
  return {
    exit,
    stdout: isPlainText(stdout) ? { text: stdout.toString() } : await content(stdout),
    stderr: describeStderr(exit, steady(result.stderr, directory)),
    files: Object.fromEntries(
      await Promise.all([...files].map(async ([name, file]) => [name, await describeFile(file, content)])),
    ),
    ...(removed.length > 0 ? { removed } : {}),
  };
}

function describeStderr(exit: number, text: string): Expectation['stderr'] {
  if (exit === 101) return { panic: true };
  // The text depends on which of two programs was faster.
  if (text.includes('Broken pipe')) return { race: true };
  if (exit === 2) return text.startsWith('error: ') ? { text: `${text.split('\n')[0]}\n` } : { help: true };
  return { text };
}

async function describeFile(
  { kind, mode, data }: FoundFile,
  content: (bytes: Buffer) => Promise<RecordedContent>,
): Promise<RecordedFile> {
  if (kind === 'directory') return { dir: true, mode };
  return kind === 'other' ? { other: true } : { ...(await content(data)), mode };
}

function isPlainText(bytes: Buffer): boolean {
  return bytes.length < 65536 && !bytes.includes(0) && Buffer.from(bytes.toString()).equals(bytes);
}

/** Returns the input of `pxe customize`, whose output begins with a copy of it. */
function copiedFile(argv: readonly string[], before: StepResult['before']): readonly [string, Buffer] | undefined {
  const file = argv.at(-1) ?? '';
  const data = before.get(file)?.data;
  return argv[0] === 'pxe' && argv[1] === 'customize' && data !== undefined ? [file, data] : undefined;
}

async function describeContent(bytes: Buffer, copied: readonly [string, Buffer] | undefined): Promise<RecordedContent> {
  const head = { bytes: bytes.length, sha256: sha256(bytes) };
  if (bytes.toString('latin1', 32769, 32774) === 'CD001') return { ...head, ...(await describeImage(bytes)) };
  const [file, data = Buffer.alloc(0)] = copied ?? [];
  if (file !== undefined && bytes.length > data.length && bytes.subarray(0, data.length).equals(data)) {
    return { ...head, prefix: { file, bytes: data.length }, archive: describeArchive(bytes.subarray(data.length)) };
  }
  return bytes[0] === 0xfd ? { ...head, archive: describeArchive(bytes) } : head;
}

/** Describes an image by the areas that the program itself finds. */
async function describeImage(bytes: Buffer): Promise<Pick<RecordedContent, 'outside' | 'regions'>> {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-record-'));
  try {
    writeFileSync(join(folder, 'image.iso'), bytes);
    const ask = async (
      flag: string,
    ): Promise<{ offset: number; length: number; kargs?: { offset: number; length: number }[] } | null> => {
      const { status, stdout } = await real(['dev', 'show', 'iso', flag, 'image.iso'], { cwd: folder });
      return status === 0 ? JSON.parse(stdout.toString()) : null;
    };
    const [initrd, kargs] = [await ask('--ignition'), await ask('--kargs')];
    const regions = [
      ...(initrd === null ? [] : [describeRegion('initrd', initrd, bytes)]),
      ...(kargs?.kargs ?? []).map((area) => describeRegion('kargs', area, bytes)),
      ...[...recipePlaces(bytes)].map((place) => describeRegion('miniso', place, bytes)),
    ];
    const rest = Buffer.from(bytes);
    for (const { offset, length } of regions) rest.fill(0, offset, offset + length);
    return { outside: sha256(rest), regions };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function* recipePlaces(bytes: Buffer): Generator<{ offset: number; length: number }> {
  const SECTOR = 2048;
  for (let offset = 16 * SECTOR; offset < bytes.length; offset += SECTOR) {
    if (bytes.toString('latin1', offset, offset + 8) === 'MINISO\0\0') yield { offset, length: 16384 };
  }
}

function describeRegion(
  kind: RecordedRegion['kind'],
  { offset, length }: { offset: number; length: number },
  image: Buffer,
): RecordedRegion {
  const bytes = image.subarray(offset, offset + length);
  const head = { kind, offset, length, sha256: sha256(bytes) };
  if (kind === 'miniso') return { ...head, miniso: describeRecipe(bytes) };
  return kind === 'initrd' && bytes[0] === 0xfd ? { ...head, archive: describeArchive(bytes) } : head;
}
