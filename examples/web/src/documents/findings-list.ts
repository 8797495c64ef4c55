// The findings of a document as a list: the place, the problem, the repair.
import type { Diagnostic, Fix } from '@coreiso/diagnostics';
import { element, fill } from '../element.ts';
import { documents as texts } from '../texts/documents.ts';

const BADGES = { error: 'bad', warning: 'caution', info: '' } as const;
/** Further findings are only counted, and shown when those above them are repaired. */
const MOST_SHOWN = 50;

export interface FindingsList {
  readonly element: HTMLElement;
  show(findings: readonly Diagnostic[]): void;
}

export function findingsList(onReveal: (offset: number) => void, onFix: (fix: Fix) => void): FindingsList {
  const summary = element('p', { className: 'findings-summary small', role: 'status' });
  const list = element('ul', { className: 'findings', 'aria-label': texts.findings, tabIndex: -1 });
  return {
    element: element('div', { className: 'stack tight' }, summary, list),
    show(findings) {
      const inOrder = [...findings].sort((a, b) => rank(a) - rank(b) || place(a) - place(b));
      fill(summary, texts.counts(count(findings, 'error'), count(findings, 'warning'), count(findings, 'info')));
      summary.classList.toggle('bad', count(findings, 'error') > 0);
      list.hidden = findings.length === 0;
      fill(
        list,
        inOrder.slice(0, MOST_SHOWN).map((finding) => item(finding, onReveal, onFix)),
        findings.length > MOST_SHOWN && element('li', { className: 'quiet' }, texts.more(findings.length - MOST_SHOWN)),
      );
    },
  };
}

const RANKS = { error: 0, warning: 1, info: 2 } as const;
const rank = ({ severity }: Diagnostic): number => RANKS[severity];
const place = ({ range }: Diagnostic): number => range?.start.offset ?? 0;
const count = (findings: readonly Diagnostic[], wanted: Diagnostic['severity']): number =>
  findings.filter(({ severity }) => severity === wanted).length;

function item(
  { severity, message, help, range, fixes = [], code }: Diagnostic,
  onReveal: (offset: number) => void,
  onFix: (fix: Fix) => void,
): HTMLElement {
  const words = element(
    'div',
    { className: 'grow' },
    element('p', { title: code }, message),
    help !== undefined && element('p', { className: 'quiet' }, help),
  );
  const where =
    range === undefined
      ? element('span', { className: 'quiet' }, texts.whole)
      : element(
          'button',
          { className: 'button plain small', type: 'button', onclick: () => onReveal(range.start.offset) },
          texts.line(range.start.line),
        );
  return element(
    'li',
    { className: 'finding' },
    element('span', { className: `badge ${BADGES[severity]}` }, texts.severities[severity]),
    where,
    words,
    fixes.map((fix) =>
      element('button', { className: 'button small fix', type: 'button', onclick: () => onFix(fix) }, fix.title),
    ),
  );
}
