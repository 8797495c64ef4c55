import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Terminal } from '../../src/frame/terminal.ts';

const HOSTILE = 'a\u001b[2J\r\u009b\u202eb\n\u007f';
const SHOWN = 'a\u241b[2J\u240d\ufffd\ufffdb\n\u2421';
const SHOWN_LINE = SHOWN.replace('\n', '\u240a');

function open(isTTY = false, secrets: 'hidden' | 'shown' = 'hidden') {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()].map((stream) => Object.assign(stream, { isTTY }));
  const io = { cwd: '/', env: {}, stdin: new PassThrough(), stdout, stderr, invokedAs: 'coreiso' };
  const terminal = new Terminal({ ...io, signal: new AbortController().signal } as Terminal['io'], { secrets });
  const text = (stream: PassThrough | undefined) => String(stream?.read() ?? '');
  return { terminal, printed: () => text(stdout), said: () => text(stderr) };
}

describe('text from others', () => {
  test('is unchanged for a program, and has visible controls on a terminal', async () => {
    for (const data of [HOSTILE, new TextEncoder().encode(HOSTILE)]) {
      const [piped, watched] = [open(), open(true)];
      await piped.terminal.print(data);
      await watched.terminal.print(data);
      expect([piped.printed(), watched.printed()]).toEqual([HOSTILE, SHOWN]);
    }
  });

  test('has visible controls in every text for people', async () => {
    const { terminal, printed, said } = open();
    await terminal.showText(HOSTILE);
    expect(printed()).toBe(SHOWN);
    await terminal.showLines([HOSTILE, 'b']);
    expect(printed()).toBe(`${SHOWN_LINE}\nb\n`);
    terminal.say(HOSTILE);
    expect(said()).toBe(`${SHOWN_LINE}\n`);
    terminal.sayText(HOSTILE);
    expect(said()).toBe(`${SHOWN}\n`);
  });

  test('is the same value in JSON, without a character that a terminal obeys', async () => {
    const { terminal, printed } = open(true);
    for (const print of [() => terminal.printJson([HOSTILE]), () => terminal.printJsonLine([HOSTILE])]) {
      await print();
      const text = printed();
      expect(text).toMatch(/^[\n -~]+$/);
      expect(JSON.parse(text)).toEqual([HOSTILE]);
    }
  });
});

test('only the terminal writes to the streams', () => {
  const root = fileURLToPath(new URL('../../src', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const writers = files.filter((name) =>
    /\b(?:stdout|stderr)\.write\(|\bconsole\.\w+\(/.test(readFileSync(join(root, name), 'utf8')),
  );
  // These files escape their output themselves, or write only numbers.
  const known = ['drop-in/download/write-image.ts', 'drop-in/ignition-validate.ts', 'frame/terminal.ts', 'main.ts'];
  expect(writers.sort()).toEqual(known.map((name) => join(...name.split('/'))));
});

describe('secrets', () => {
  const EVENT = { host: 'w1', message: 'asked https://me:hunter2@x.test/', fact: { token: 'hunter2' } };
  const HIDING = { host: 'w1', message: 'asked https://<redacted>@x.test/', fact: { token: '<redacted>' } };

  test.each([
    ['printJson', HIDING],
    ['printJsonLine', HIDING],
    ['printWhole', EVENT],
  ] as const)('are in JSON only on request: %s', async (print, expected) => {
    const [hidden, shown] = [open(), open(false, 'shown')];
    await hidden.terminal[print](EVENT);
    await shown.terminal[print](EVENT);
    expect([JSON.parse(hidden.printed()), JSON.parse(shown.printed())]).toEqual([expected, EVENT]);
  });

  test('in addresses are never in text for people', async () => {
    const { terminal, printed, said } = open(false, 'shown');
    const [address, clean] = ['https://me:hun\nter2@x.test/?sig=hunter2', 'https://<redacted>@x.test/?sig=<redacted>'];
    await terminal.showLines([address]);
    terminal.say(address);
    expect([printed(), said()]).toEqual([`${clean}\n`, `${clean}\n`]);
    const oneLine = address.replace('\n', '');
    await terminal.showText(oneLine);
    await terminal.draw(oneLine);
    terminal.sayText(oneLine);
    terminal.sayColoured(oneLine);
    expect([printed(), said()]).toEqual([clean + clean, `${clean}\n${clean}\n`]);
  });
});

describe('colours', () => {
  const colours = (isTTY: boolean, env: Record<string, string>, colour?: 'auto' | 'always' | 'never'): boolean => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    const io = { cwd: '/', env, stdin: stream, stdout: stream, stderr: stream, invokedAs: 'coreiso' };
    return new Terminal({ ...io, signal: new AbortController().signal } as Terminal['io'], { colour }).colour('stderr');
  };

  test.each([
    ['of a terminal', true, {}, undefined, true],
    ['of a pipe', false, {}, undefined, false],
    ['of a terminal that has none', true, { TERM: 'dumb' }, undefined, false],
    ['where NO_COLOR is set', true, { NO_COLOR: '1' }, undefined, false],
    ['where NO_COLOR is empty', true, { NO_COLOR: '' }, undefined, true],
    ['where FORCE_COLOR is set', false, { FORCE_COLOR: '1' }, undefined, true],
    ['where FORCE_COLOR is set and empty', false, { FORCE_COLOR: '' }, undefined, true],
    ['where FORCE_COLOR is 0', true, { FORCE_COLOR: '0' }, undefined, false],
    ['where both are set', false, { FORCE_COLOR: '3', NO_COLOR: '1' }, undefined, true],
    ['with --color always', false, { NO_COLOR: '1' }, 'always', true],
    ['with --color never', true, { FORCE_COLOR: '1' }, 'never', false],
    ['with --color auto', true, {}, 'auto', true],
  ] as const)('%s', (_, isTTY, env, colour, expected) => {
    expect(colours(isTTY, env, colour)).toBe(expected);
  });
});
