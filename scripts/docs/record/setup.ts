import { appendFileSync } from 'node:fs';
import { afterAll } from 'vitest';

/** The messages of one code, and the texts that were read shortly before. */
interface Noted {
  readonly message: string;
  readonly help?: string | undefined;
  readonly texts: readonly string[];
}

interface Recorder {
  text(text: string): void;
  finding(finding: { readonly code: string; readonly message: string; readonly help?: string | undefined }): void;
  error(code: string, message: string, help?: string): void;
}

const file = process.env['COREISO_RECORDING'] ?? '';
const LONGEST = 4000;
const REMEMBERED = 3;
/** The most examples of a code from one test file; the shortest are kept. */
const KEPT = 12;

const lately: string[] = [];
const noted = new Map<string, Noted[]>();
const sizeOf = ({ message, texts }: Noted): number =>
  message.length + Math.min(LONGEST, ...texts.map((text) => text.length));

const recorder: Recorder = {
  text(text) {
    if (typeof text !== 'string' || text.length > LONGEST || lately.includes(text)) return;
    lately.push(text);
    if (lately.length > REMEMBERED) lately.shift();
  },
  finding({ code, message, help }) {
    note(code, { message, help, texts: [...lately] });
  },
  error(code, message, help) {
    note(code, { message, help, texts: [] });
  },
};
Object.assign(globalThis, { recorder });

function note(code: string, one: Noted): void {
  const list = noted.get(code) ?? [];
  list.push(one);
  list.sort((a, b) => sizeOf(a) - sizeOf(b));
  noted.set(code, list.slice(0, KEPT));
}

afterAll(() => {
  for (const [code, list] of noted)
    for (const one of list) appendFileSync(file, `${JSON.stringify({ code, ...one })}\n`);
  noted.clear();
});
