// node child.mjs NAME FOLDER BUNDLE RESULT: one walk.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { recorder } from './recorder.mjs';

const [name, folder, out, result] = process.argv.slice(2);
const walk = recorder(JSON.parse(readFileSync(join(out, 'functions.json'), 'utf8')));
globalThis.__walk = walk;
const { operations } = await import(pathToFileURL(join(out, 'operations.js')).href);
const { go, stop } = await operations[name](folder);
walk.isOn = true;
await go();
walk.isOn = false;
await stop?.();
writeFileSync(result, JSON.stringify(walk.result()));
