import type { Limits, Result } from './frame.ts';

/** The results for people, one line each. */
export function table(results: readonly Result[]): string {
  const rows = results.map(({ name, unit, ours, peer, ratio, limits, withinLimits }) => [
    name,
    `${ours.toFixed(1)} ${unit}`,
    `${peer.toFixed(1)} ${unit}`,
    ratio.toFixed(2),
    limitsText(limits, unit),
    withinLimits ? 'ok' : 'MISSED',
  ]);
  const all = [['bench', 'ours', 'peer', 'ratio', 'limit', 'verdict'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** The same as a table of Markdown, with what is compared. */
export function markdown(results: readonly Result[]): string {
  const rows = results.map(({ name, about, unit, ours, peer, ratio, limits, withinLimits }) => {
    const cells = [`\`${name}\``, about, `${ours.toFixed(1)} ${unit}`, `${peer.toFixed(1)} ${unit}`, ratio.toFixed(2)];
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
