// Blocks as elements: headings, tables, lists and collapsible texts, which keyboards and screen readers support.
import { type Child, element } from '../element.ts';
import { VIEW } from '../texts/views.ts';
import type { Block, Facts, Picture, Section, Sentence, Steps, Table, TextFile } from './blocks.ts';
import type { Marks } from './changes.ts';
import { showTree } from './show-tree.ts';

export function showBlocks(blocks: readonly Block[], marks: Marks): HTMLElement[] {
  return blocks.map((block) => showBlock(block, marks));
}

function showBlock(block: Block, marks: Marks): HTMLElement {
  switch (block.kind) {
    case 'table':
      return showTable(block, marks);
    case 'facts':
      return showFacts(block, marks);
    case 'sentence':
      return showSentence(block);
    case 'picture':
      return showPicture(block, marks);
    case 'file':
      return showFile(block, marks);
    case 'steps':
      return showSteps(block, marks);
    case 'tree':
      return showTree(block, marks);
    case 'section':
      return showSection(block, marks);
  }
}

/** A word, not a colour alone. */
function markOf(key: string, { added, changed }: Marks): HTMLElement | undefined {
  if (added.has(key)) return element('span', { className: 'badge changed' }, VIEW.added);
  return changed.has(key) ? element('span', { className: 'badge changed' }, VIEW.changed) : undefined;
}

function withMark(text: string, key: string, marks: Marks): Child[] {
  const mark = markOf(key, marks);
  return mark === undefined ? [text] : [text, ' ', mark];
}

function showTable({ caption, columns, rows }: Table, marks: Marks): HTMLElement {
  const head = element(
    'tr',
    {},
    columns.map((column) => element('th', { scope: 'col' }, column)),
  );
  const body = rows.map(({ key, cells }) => {
    const [first = '', ...rest] = cells;
    return element(
      'tr',
      { className: isMarked(key, marks) ? 'marked' : '' },
      element('th', { scope: 'row' }, withMark(first, key, marks)),
      rest.map((cell) => element('td', {}, cell)),
    );
  });
  const table = element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, head),
    element('tbody', {}, body),
  );
  // Wide tables scroll by themselves; scrolling elements can be focused by keyboard.
  return element('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': caption }, table);
}

function isMarked(key: string, { added, changed }: Marks): boolean {
  return added.has(key) || changed.has(key);
}

function showFacts({ rows }: Facts, marks: Marks): HTMLElement {
  return element(
    'dl',
    { className: 'facts' },
    rows.map(({ key, name, value }) =>
      element(
        'div',
        { className: isMarked(key, marks) ? 'marked' : '' },
        element('dt', {}, name),
        element('dd', {}, withMark(value, key, marks)),
      ),
    ),
  );
}

const NOTES: Readonly<Record<Sentence['tone'], string>> = {
  plain: 'plain',
  hint: 'empty',
  warning: 'note caution',
  error: 'note bad',
};

function showSentence({ text, tone }: Sentence): HTMLElement {
  return element('p', { className: NOTES[tone] }, text);
}

function showPicture({ svg, prefix }: Picture, marks: Marks): HTMLElement {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const drawing = document.importNode(parsed.documentElement, true);
  for (const title of drawing.querySelectorAll('g > title')) {
    const name = (title.textContent ?? '').replace(/ \([^()]*\)$/, '');
    if (isMarked(`${prefix}${name}`, marks)) title.parentElement?.classList.add('marked');
  }
  return element('figure', { className: 'picture' }, drawing);
}

function showFile({ key, name, detail, text }: TextFile, marks: Marks): HTMLElement {
  return element(
    'details',
    { className: 'file', 'data-key': key },
    element(
      'summary',
      {},
      element('strong', {}, name),
      ' ',
      element('span', { className: 'quiet' }, detail),
      ' ',
      markOf(key, marks),
    ),
    element('pre', { className: 'code', tabIndex: 0, 'aria-label': name }, text),
  );
}

function showSteps({ steps }: Steps, marks: Marks): HTMLElement {
  return element(
    'ol',
    { className: 'steps' },
    steps.map(({ key, title, text }) =>
      element('li', {}, element('strong', {}, withMark(title, key, marks)), element('p', {}, text)),
    ),
  );
}

function showSection({ title, blocks }: Section, marks: Marks): HTMLElement {
  return element('section', { className: 'stack' }, element('h3', {}, title), showBlocks(blocks, marks));
}
