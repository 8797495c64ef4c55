/** Recorded files by their path inside the folder: packed beside the tests, or a folder on disk. */
export interface Recordings {
  paths(pattern?: RegExp): string[];
  text(path: string): string;
  bytes(path: string): Uint8Array;
}

/** Replays one case: the differences between our answer and the recorded one, one per line; none if they agree. */
export interface Verdict {
  readonly name: string;
  readonly differences: readonly string[];
}

/** Replays every case of one set. `npm run goldens -- SET DIR` runs it on any folder of the same format. */
export type Replay = (recordings: Recordings) => AsyncIterable<Verdict>;

/** Compares lists that must be equal, line by line; returns the first few differences. */
export function compareLines(ours: readonly string[], recorded: readonly string[]): string[] {
  const differences: string[] = [];
  for (let at = 0; at < Math.max(ours.length, recorded.length) && differences.length < 5; at++) {
    if (ours[at] === recorded[at]) continue;
    differences.push(
      `line ${at + 1}: ours ${ours[at] ?? '(none)'}`,
      `line ${at + 1}: real ${recorded[at] ?? '(none)'}`,
    );
  }
  return differences;
}
