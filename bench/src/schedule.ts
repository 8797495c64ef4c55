// The rows that run by default, and the time of each with five runs on two idle cores.
import type { Bench } from './frame.ts';

/** Seconds. */
const BY_DEFAULT: Readonly<Record<string, number>> = {
  start: 2,
  'command-validate': 2,
  embed: 9,
  minimal: 8,
  'command-embed': 4,
  'command-memory': 6,
  'command-in-place': 4,
  'command-pipe': 7,
  ignition: 13,
  'nmstate-host': 7,
  'nmstate-many': 3,
  policies: 2,
  'nodes-10000': 25,
  'nodes-memory': 25,
  'nodes-bonds': 4,
  site: 12,
  'key-stroke': 3,
  'remote-requests': 1,
  'remote-open': 1,
  'remote-edit': 1,
  'remote-inspect-requests': 1,
  'remote-inspect': 1,
  'serve-full': 8,
  'serve-100': 14,
  'serve-100-p99': 14,
  'serve-1000': 14,
  'serve-1000-rss': 14,
  'plan-image': 5,
  'plan-bytes': 5,
};

/** Rows that need `--all`: large files, many seconds, or rare programs. */
const ON_REQUEST: Readonly<Record<string, number>> = {
  copy: 45,
  pipe: 9,
  discard: 5,
  'in-place': 1,
  memory: 55,
  archive: 65,
  'archive-native': 48,
  'command-copy': 45,
  'command-copy-sync': 30,
  'nmstate-linear': 18,
  nodes: 30,
  'agent-image': 8,
  'agent-memory': 5,
  'chromium-stream': 18,
  'firefox-stream': 30,
  'page-typing': 100,
  'go-full': 20,
  'go-100': 20,
  'go-100-p99': 20,
  'go-1000': 20,
  'go-1000-rss': 20,
};

/** Whether a row runs if none is named. */
export function isDefault({ name }: Pick<Bench, 'name'>): boolean {
  return BY_DEFAULT[name] !== undefined;
}

/** The time of a row with this many runs, in seconds. */
export function secondsOf({ name }: Pick<Bench, 'name'>, runs: number): number {
  const seconds = BY_DEFAULT[name] ?? ON_REQUEST[name];
  if (seconds === undefined) throw new Error(`how long ${name} takes is not in schedule.ts`);
  // One run warms up, and the setup takes about as long.
  return (seconds * (runs + 2)) / 7;
}

/** Minutes and seconds. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
