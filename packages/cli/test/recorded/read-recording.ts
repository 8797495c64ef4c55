import { readFileSync } from 'node:fs';
import type { Recording } from './recording.ts';

/** A recording that was made with sample images, by the name of its file. */
export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`../goldens/${name}`, import.meta.url), 'utf8'));
}
