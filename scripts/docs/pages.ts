import { generatedPages } from './generate.ts';

/** Made while this is loaded: afterwards nothing can be imported any more, and tables of commands are loaded on use. */
export const pages: ReadonlyMap<string, string> = await generatedPages();
