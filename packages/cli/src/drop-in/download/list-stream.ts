import { Bases } from '../../frame/base.ts';
import type { Action } from '../../frame/command.ts';
import { fetchStreamIndex, streamUrl } from './stream-index.ts';

/** `coreos-installer list-stream`. */
export const listStream: Action = async (args, terminal) => {
  const url = streamUrl(args.optional('stream') ?? 'stable', args.optional('stream-base-url'));
  const { fetch } = await new Bases(terminal).remote();
  const index = await fetchStreamIndex(terminal, fetch, url);
  const rows = [...index].flatMap(([architecture, platforms]) =>
    [...platforms].flatMap(([platform, formats]) =>
      [...formats.keys()].map((format) => [architecture, platform, format]),
    ),
  );
  const table = [['Architecture', 'Platform', 'Format'], ...rows.sort(compareRows)];
  const width = (column: number): number => Math.max(...table.map((row) => row[column]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  await terminal.print(
    table.map(([a = '', b = '', c = '']) => `${a.padEnd(first)}  ${b.padEnd(second)}  ${c}\n`).join(''),
  );
  return 0;
};

function compareRows(a: readonly string[], b: readonly string[]): number {
  const column = a.findIndex((text, index) => text !== b[index]);
  const [left = '', right = ''] = [a[column], b[column]];
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
