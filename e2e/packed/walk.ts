import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { run } from './programs.ts';
import { type Block, fileOf, isOutput, isProgram, type Walk } from './readmes.ts';

/** The folder and environment of a walk. */
interface WalkContext {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Follows a text block by block; returns the commands and output up to the first result. */
export async function takeWalk({ blocks }: Walk, { folder, env }: WalkContext): Promise<string> {
  let [commands, lines] = [0, 0];
  let result: string | undefined;
  let printed = '';
  for (const block of blocks) {
    const file = fileOf(block);
    if (file !== undefined) writeFileSync(join(folder, file), block.text);
    if (isOutput(block)) expectOutput(printed, block);
    if (file !== undefined || isOutput(block)) continue;
    if (isProgram(block)) writeProgram(block, folder);
    const text = isProgram(block) ? 'node program.mjs' : block.text;
    // As on a terminal: standard output and standard error in one stream.
    const { status, stdout } = await run('sh', ['-e', '-c', `exec 2>&1\n${text}`], { cwd: folder, env });
    expect(status, `${block.title}\n${stdout}`).toBe(0);
    printed = stdout;
    if (result !== undefined) continue;
    commands += text.split('\n').filter((line) => /^\w/.test(line)).length;
    lines += stdout.split('\n').length - 1;
    // Installations and input files are not results yet.
    if (isProgram(block) || !/^npm install|^npx/m.test(text)) result = block.title;
  }
  return `${commands} commands, ${lines} lines printed, up to the result of ${result ?? 'its installation: the rest needs a cluster'}`;
}

/**
 * Compares the lines from the first shown one to the last; `…` alone on a line stands for lines, elsewhere for part of
 * a line.
 */
function expectOutput(printed: string, { title, text }: Block): void {
  const pattern = text
    .split(/^…\n/m)
    .map((part) => part.split('…').map(escaped).join('.*'))
    .join('(?:.*\\n)*?');
  if (new RegExp(`^${pattern}`, 'm').test(printed)) return;
  // Fails, and shows both texts.
  expect(printed, title).toBe(text);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

export function writeProgram({ text }: Block, folder: string): void {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  writeFileSync(join(folder, 'program.mjs'), outputText);
}
