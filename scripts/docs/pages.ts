import { generatedPages } from './generate.ts';

/** Evaluated while this module loads: tables of commands are loaded on demand, and later imports would fail. */
export const pages: ReadonlyMap<string, string> = await generatedPages();
