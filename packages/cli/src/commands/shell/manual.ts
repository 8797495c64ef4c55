import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Action, Command, Group } from '../../frame/command.ts';
import { commandsOf } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import { offered } from '../../frame/help.ts';
import { UsageError } from '../../frame/usage.ts';
import { commandPage, groupPage } from './man-page.ts';

interface Place {
  readonly path: readonly string[];
  readonly target: Command | Group;
}

/** `coreiso man`: prints the page of one command, or writes all pages to files. */
export const manualOf =
  (tree: Group): Action =>
  async (args, terminal) => {
    const output = args.optional('output');
    if (output === undefined) {
      await terminal.print(await pageOf(await find(tree, args.list('COMMAND'))));
      return 0;
    }
    await inContext(`cannot create ${output}`, () => mkdir(terminal.path(output), { recursive: true }));
    for (const place of await allPlaces({ path: [tree.name], target: tree })) {
      const file = join(output, `${place.path.join('-')}.1`);
      await inContext(`cannot write ${file}`, async () => writeFile(terminal.path(file), await pageOf(place)));
    }
    terminal.say(`wrote the manual pages of coreiso to ${output}`);
    return 0;
  };

async function find(tree: Group, words: readonly string[]): Promise<Place> {
  let place: Place = { path: [tree.name], target: tree };
  for (const word of words) {
    const below: readonly (Command | Group)[] = place.target.kind === 'group' ? await commandsOf(place.target) : [];
    const target = below.find(({ name }) => name === word);
    if (target === undefined)
      throw new UsageError(`no manual page for '${words.join(' ')}': unknown command '${word}'`);
    place = { path: [...place.path, word], target };
  }
  return place;
}

async function allPlaces(place: Place): Promise<Place[]> {
  if (place.target.kind === 'command') return [place];
  const below = offered(await commandsOf(place.target)).map((target) => ({
    path: [...place.path, target.name],
    target,
  }));
  return [place, ...(await Promise.all(below.map(allPlaces))).flat()];
}

async function pageOf({ path, target }: Place): Promise<string> {
  return target.kind === 'command'
    ? commandPage(path, target)
    : groupPage(path, target, offered(await commandsOf(target)));
}
