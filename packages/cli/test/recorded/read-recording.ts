import { readFileSync } from 'node:fs';
import type { Recording } from './recording.ts';

/** Reads a recording made with sample images, by its file name. */
export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`../goldens/${name}`, import.meta.url), 'utf8'));
}
