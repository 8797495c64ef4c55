import type { Comparison } from './against.ts';
import type { Limits, Result } from './frame.ts';

/** The column widths of a line: a row is printed when it is done, so they cannot depend on later rows. */
const WIDTHS = [18, 15, 15, 7, 26];

/** The head of the table for people. */
export const HEAD: string = line(['row', 'ours', 'peer', 'ratio', 'limit', 'verdict']);

/** A result for people. */
export function row({ name, unit, ours, peer, ratio, limits, withinLimits }: Result): string {
  const verdict = withinLimits ? 'ok' : 'MISSED';
  return line([name, amount(ours, unit), amount(peer, unit), ratio.toFixed(2), limitsText(limits, unit), verdict]);
}

/** The head of the table of comparisons. */
export const COMPARED_HEAD: string = line(['row', 'here', 'there', 'ratio', 'in 95 of 100 cases', 'verdict']);

/** The comparison of two revisions for people. */
export function comparedRow({ name, unit, pairs, ratio, low, high, word }: Comparison): string {
  const [here, there] = [pairs.map(({ ours }) => ours), pairs.map(({ theirs }) => theirs)].map(median);
  const interval = `${low.toFixed(2)} to ${high.toFixed(2)}`;
  return line([
    name,
    amount(here, unit),
    amount(there, unit),
    ratio.toFixed(2),
    interval,
    `${word}, ${pairs.length} pairs`,
  ]);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function amount(value: number | undefined, unit: string): string {
  return `${value === undefined ? '-' : value < 10 ? value.toFixed(2) : value.toFixed(1)} ${unit}`;
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0))
    .join(' ')
    .trimEnd();
}

/** All results as a table of Markdown, with the comparison of each. */
export function markdown(results: readonly Result[]): string {
  const rows = results.map(({ name, about, unit, ours, peer, ratio, limits, withinLimits }) => {
    const cells = [`\`${name}\``, about, amount(ours, unit), amount(peer, unit), ratio.toFixed(2)];
    return `| ${[...cells, limitsText(limits, unit), withinLimits ? 'met' : '**missed**'].join(' | ')} |\n`;
  });
  const head =
    '| Bench | What | Ours | Peer | Ratio | Limit | Verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n';
  return `${head}${rows.join('')}`;
}

function limitsText({ ratio, difference, ours }: Limits, unit: string): string {
  const texts = [
    ratio === undefined ? [] : `ratio ≤ ${Number(ratio.toFixed(2))}`,
    difference === undefined ? [] : `+${difference} ${unit}`,
    ours === undefined ? [] : `≤ ${ours} ${unit}`,
  ];
  return texts.flat().join(', ');
}
