// Generates the pages of the reference from the code, so that they are complete.
import { apiPages } from './api.ts';
import { codePages } from './codes.ts';
import { commandPages } from './commands.ts';
import { page } from './markdown.ts';
import { packagePages } from './packages.ts';

/** The pages, by their path below docs/reference. */
export type Pages = Map<string, string>;

const INDEX = page(
  '# Reference',
  'Made from the code by each build of this site.',
  [
    '- [Commands](./commands/index.md): every command with its arguments and options.',
    '- [Findings](./findings/index.md): every remark about your text, with an example and the way out.',
    '- [Errors](./errors.md): every failure of an operation.',
    '- [API](./api/index.md): every name that the packages export.',
    '- [Packages](./packages/index.md): stages and files, for those who change them.',
  ].join('\n'),
);

export async function generatedPages(): Promise<Pages> {
  return new Map([['index.md', INDEX], ...(await commandPages()), ...codePages(), ...apiPages(), ...packagePages()]);
}
