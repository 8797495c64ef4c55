// A tree of collapsible branches. A branch is made when it is expanded: configs have thousands of lines.
import { element, fill } from '../element.ts';
import { VIEW } from '../texts/views.ts';
import type { Tree, TreeNode } from './blocks.ts';
import type { Marks } from './changes.ts';

export function showTree({ label, nodes }: Tree, marks: Marks): HTMLElement {
  const list = element(
    'ul',
    { className: 'tree', 'aria-label': label },
    nodes.map((node) => showNode(node, marks, true)),
  );
  const setAll = (isOpen: boolean) => (): void => {
    // Expanding a branch creates more branches.
    for (let closed = closedIn(list); isOpen && closed.length > 0; closed = closedIn(list)) {
      for (const branch of closed) unfold(branch);
    }
    if (!isOpen) for (const branch of list.querySelectorAll('details')) branch.open = false;
  };
  const button = (text: string, isOpen: boolean): HTMLElement =>
    element('button', { type: 'button', className: 'button plain small', onclick: setAll(isOpen) }, text);
  return element(
    'div',
    { className: 'stack' },
    element('div', { className: 'tree-actions' }, button(VIEW.openAll, true), button(VIEW.closeAll, false)),
    list,
  );
}

function closedIn(list: Element): HTMLDetailsElement[] {
  return [...list.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
}

const contents = new WeakMap<HTMLDetailsElement, () => void>();

function unfold(branch: HTMLDetailsElement): void {
  contents.get(branch)?.();
  contents.delete(branch);
  branch.open = true;
}

function showNode({ key, name, value, children }: TreeNode, marks: Marks, isOpen: boolean): HTMLElement {
  const title = element('span', { className: 'key' }, name);
  const mark = markOfBranch({ key, name, value, children }, marks);
  if (children === undefined) {
    const isLong = value?.includes('\n') === true || (value?.length ?? 0) > 120;
    const shown = isLong
      ? element('pre', { className: 'code', tabIndex: 0, 'aria-label': name }, value)
      : element('span', { className: 'value' }, value ?? '');
    return element('li', {}, title, ' ', shown, ' ', mark);
  }
  const inside = element('ul', {});
  const branch = element(
    'details',
    { 'data-key': key },
    element('summary', {}, title, ' ', element('span', { className: 'quiet' }, value ?? ''), ' ', mark),
    inside,
  );
  contents.set(branch, () => fill(inside, showChildren(children, marks)));
  branch.addEventListener('toggle', () => {
    if (branch.open) unfold(branch);
  });
  if (isOpen) unfold(branch);
  return element('li', {}, branch);
}

/** The number of branches at once; hundreds of hosts have thousands of files. */
const MOST = 200;

function showChildren(children: readonly TreeNode[], marks: Marks): HTMLElement[] {
  const [shown, others] = [children.slice(0, MOST), children.slice(MOST)];
  const items = shown.map((child) => showNode(child, marks, false));
  if (others.length === 0) return items;
  const more = element('li', {});
  const reveal = (): void => more.replaceWith(...showChildren(others, marks));
  const text = VIEW.more(others.length);
  fill(more, element('button', { type: 'button', className: 'button plain small', onclick: reveal }, text));
  return [...items, more];
}

/** Marks a branch that contains marked parts, so that users find them. */
function markOfBranch(node: TreeNode, marks: Marks): HTMLElement | undefined {
  if (marks.added.has(node.key)) return element('span', { className: 'badge changed' }, VIEW.added);
  return isTouched(node, marks) ? element('span', { className: 'badge changed' }, VIEW.changed) : undefined;
}

function isTouched({ key, children = [] }: TreeNode, marks: Marks): boolean {
  return marks.added.has(key) || marks.changed.has(key) || children.some((child) => isTouched(child, marks));
}

/** Replaces the contents, and expands the expanded branches again. */
export function keepFolding(host: Element, replace: () => void): void {
  const folding = new Map([...host.querySelectorAll('details')].map((one) => [one.dataset['key'] ?? '', one.open]));
  replace();
  // Branches are created while the branches around them are expanded.
  for (const [key, isOpen] of folding) {
    const found = [...host.querySelectorAll('details')].find((one) => one.dataset['key'] === key);
    if (found === undefined || found.open === isOpen) continue;
    if (isOpen) unfold(found);
    else found.open = false;
  }
}
