import { inContext } from '../../context.ts';
import { fileOffset, type LiveIso } from '../live-iso.ts';
import { readRegion } from '../region.ts';
import { decodeMiniso, type Miniso } from './recipe.ts';

/** Where the recipe is in the strict view. */
export const MINISO_DAT = 'COREOS/MINISO.DAT';
/** More than this of the file is never part of a recipe. */
const READ_LIMIT = 1024 * 1024;

/** The recipe for the minimal image, or `undefined` where the image has none. */
export async function readRecipe(iso: LiveIso, signal?: AbortSignal): Promise<Miniso | undefined> {
  const file = await iso.findFile(MINISO_DAT, signal);
  if (file === undefined) return undefined;
  return inContext('reading miniso data file', async () => {
    const region = { offset: fileOffset(file), length: Math.min(file.size, READ_LIMIT) };
    return decodeMiniso(await readRegion(iso.source, region, signal));
  });
}
