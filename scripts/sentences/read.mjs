// Collects the sentences that people read: pages, texts of programs, comments, test titles; each with its file and line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const KINDS = ['page', 'text', 'comment', 'title'];

const FOLDERS = ['docs', 'packages', 'examples', 'bench', 'scripts', 'test', 'e2e', '.changeset', '.github'];
const SKIPPED = /(?:^|\/)(?:node_modules|dist|cache|coverage|goldens|fixtures|generated|reference|corpus)(?:\/|$)/;

/** Paths of all files with sentences below `root`, with forward slashes, in a stable order. */
export function filesOf(root) {
  const below = FOLDERS.flatMap((folder) => list(root, folder));
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...top, ...below].filter((path) => /\.(?:md|m?ts)$/.test(path) && !/\.d\.ts$/.test(path)).sort();
}

function list(root, folder) {
  const path = (entry) => `${folder}/${entry.name}`;
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !SKIPPED.test(path(entry)))
    .flatMap((entry) => (entry.isDirectory() ? list(root, path(entry)) : [path(entry)]));
}

/** The sentences of one file: `{ path, line, kind, text }`. */
export function sentencesOf(root, path) {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks = path.endsWith('.md') ? blocksOfPage(text) : blocksOfProgram(path, text);
  return blocks.flatMap((block) => split(block.text).map((sentence) => ({ path, ...block, text: sentence })));
}

/** Paragraphs, list items and table cells of Markdown; no code, no front matter. */
export function blocksOfPage(page) {
  const blocks = [];
  let open;
  let fence;
  const lines = page.replace(/^---\n[\s\S]*?\n---\n/, (matter) => matter.replace(/[^\n]/g, '')).split('\n');
  for (const [index, raw] of lines.entries()) {
    const [, mark] = /^\s*(```+|~~~+)/.exec(raw) ?? [];
    if (mark !== undefined) fence = fence === undefined ? mark : raw.trim() === fence ? undefined : fence;
    if (mark !== undefined || fence !== undefined || /^\s*(?:$|<|:::|\|[-| :]+\|$)/.test(raw)) {
      open = undefined;
      continue;
    }
    const line = index + 1;
    if (raw.trimStart().startsWith('|')) {
      open = undefined;
      for (const cell of raw.split(/(?<!\\)\|/)) blocks.push({ line, kind: 'page', text: cell });
    } else if (open === undefined || /^\s*(?:[-*#>]|\d+\.) ?/.test(raw)) {
      open = { line, kind: 'page', text: raw.replace(/^\s*(?:[-*>]|#+|\d+\.)\s+/, '') };
      blocks.push(open);
      if (/^\s*#/.test(raw)) open = undefined;
    } else {
      open.text += ` ${raw.trim()}`;
    }
  }
  return blocks;
}

/** Texts, comments and test titles of a program. */
export function blocksOfProgram(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const isTest = /\.test\.m?ts$/.test(path);
  const blocks = [];
  const seen = new Set();
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(range.pos)) continue;
      seen.add(range.pos);
      blocks.push({ line: lineAt(range.pos), kind: 'comment', text: proseOfComment(text.slice(range.pos, range.end)) });
    }
    if (isTitle(node)) {
      blocks.push({ line: lineAt(node.getStart()), kind: 'title', text: node.text });
    } else if (!isTest && ts.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(({ literal }) => `…${literal.text}`);
      blocks.push({ line: lineAt(node.getStart()), kind: 'text', text: [node.head.text, ...parts].join('') });
    } else if (!isTest && ts.isStringLiteralLike(node)) {
      blocks.push({ line: lineAt(node.getStart()), kind: 'text', text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mergeComments(blocks);
}

/** Merges line comments below each other into one text. */
function mergeComments(blocks) {
  const merged = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (block.kind === 'comment' && last?.kind === 'comment' && block.line === last.line + last.height) {
      last.text += ` ${block.text}`;
      last.height += 1;
    } else {
      merged.push({ ...block, height: 1 });
    }
  }
  return merged.map(({ height, ...block }) => block);
}

function proseOfComment(comment) {
  const inner = comment.replace(/^\/\*+|\*+\/$|^\/\/+/g, '').replace(/^\s*\* ?/gm, '');
  return inner
    .replace(/@example[\s\S]*/, '')
    .replace(/^@\w+/gm, '')
    .replace(/^biome-ignore.*|^@ts-.*/gm, '');
}

/** Whether it is the first argument of `test`, `it` or `describe`, or of their variants. */
function isTitle(node) {
  if (!ts.isStringLiteralLike(node) || !ts.isCallExpression(node.parent) || node.parent.arguments[0] !== node) {
    return false;
  }
  return /^(?:test|it|describe)\b/.test(node.parent.expression.getText());
}

function split(text) {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[a-z)`”"'][.!?]) (?=[A-Z`(“"[])/)
    .map((one) => one.trim())
    .filter(isSentence);
}

/** At least four words, which excludes keys, paths and patterns. */
function isSentence(text) {
  const words = text.replace(/`[^`]*`|\([^)]*\/[^)]*\)/g, 'x').match(/(?<![\w./-])[A-Za-z][a-z']*(?![\w/=])/g) ?? [];
  return words.length >= 4 && words.join('').length * 2 > text.replace(/`[^`]*`/g, '').length;
}

/** Chooses `count` sentences by a seed: the same ones for the same sentences. */
export function sample(sentences, count, seed) {
  const random = generator(seed);
  const rest = [...sentences];
  const taken = [];
  while (taken.length < count && rest.length > 0) taken.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return taken.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** mulberry32. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
