// A unified diff (POSIX diff -u) of two texts, by the greedy algorithm of Myers: changes are few, and files may be long.

/** A line of both texts or of one. */
interface Step {
  readonly kind: ' ' | '-' | '+';
  readonly line: string;
}

const CONTEXT = 3;
/** With more changes, the diff replaces the middle as a whole. */
const MOST_CHANGES = 2000;

/**
 * Returns the diff of two texts of one file, as `diff -u` writes it, with each line passed through `shown`; empty if they
 * are the same.
 */
export function unifiedDiff(
  name: string,
  before: string,
  after: string,
  shown: (line: string) => string = (line) => line,
): string {
  if (before === after) return '';
  const hunks = hunksOf(stepsOf(linesOf(before), linesOf(after)), shown);
  return [`--- ${name}`, `+++ ${name}`, ...hunks].join('\n');
}

/** Splits a text into lines with their line ends, which may change, too. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function stepsOf(before: readonly string[], after: readonly string[]): Step[] {
  let head = 0;
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (lines: readonly string[]): Step[] => lines.map((line) => ({ kind: ' ', line }));
  const middle = changes(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return [...same(before.slice(0, head)), ...middle, ...same(before.slice(before.length - tail))];
}

function changes(a: readonly string[], b: readonly string[]): Step[] {
  let furthest = new Map([[1, 0]]);
  const trace: Map<number, number>[] = [];
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  for (let count = 0; count <= most; count++) {
    trace.push(furthest);
    const next = new Map(furthest);
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = startOn(furthest, diagonal, count);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return traced(a, b, trace);
    }
    furthest = next;
  }
  const replaced = (kind: '-' | '+', lines: readonly string[]): Step[] => lines.map((line) => ({ kind, line }));
  return [...replaced('-', a), ...replaced('+', b)];
}

function startOn(furthest: ReadonlyMap<number, number>, diagonal: number, count: number): number {
  const [left = -1, right = -1] = [furthest.get(diagonal - 1), furthest.get(diagonal + 1)];
  return diagonal === -count || (diagonal !== count && left < right) ? right : left + 1;
}

/** Traces the path back from the end to the beginning. */
function traced(a: readonly string[], b: readonly string[], trace: readonly ReadonlyMap<number, number>[]): Step[] {
  const steps: Step[] = [];
  let [x, y] = [a.length, b.length];
  for (let count = trace.length - 1; count >= 0; count--) {
    const furthest = trace[count] ?? new Map();
    const diagonal = x - y;
    const [left = -1, right = -1] = [furthest.get(diagonal - 1), furthest.get(diagonal + 1)];
    const isDown = diagonal === -count || (diagonal !== count && left < right);
    const startX = isDown ? right : left;
    const startY = startX - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > startX && y > startY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      steps.push({ kind: ' ', line: a[--x] ?? '' });
      y--;
    }
    if (count === 0) break;
    if (isDown) steps.push({ kind: '+', line: b[--y] ?? '' });
    else steps.push({ kind: '-', line: a[--x] ?? '' });
  }
  return steps.reverse();
}

function hunksOf(steps: readonly Step[], shown: (line: string) => string): string[] {
  const changed = steps.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]));
  const lines: string[] = [];
  let [oldLine, newLine, done] = [1, 1, 0];
  for (let at = 0; at < changed.length; ) {
    const start = Math.max((changed[at] ?? 0) - CONTEXT, done);
    let last = at;
    while (last + 1 < changed.length && (changed[last + 1] ?? 0) - (changed[last] ?? 0) <= 2 * CONTEXT + 1) last++;
    const end = Math.min((changed[last] ?? 0) + CONTEXT + 1, steps.length);
    const skipped = start - done;
    [oldLine, newLine] = [oldLine + skipped, newLine + skipped];
    const hunk = steps.slice(start, end);
    const [oldCount, newCount] = [countOf(hunk, '+'), countOf(hunk, '-')];
    lines.push(
      `@@ -${extent(oldLine, oldCount)} +${extent(newLine, newCount)} @@`,
      ...hunk.flatMap((step) => stepLines(step, shown)),
    );
    [oldLine, newLine, done, at] = [oldLine + oldCount, newLine + newCount, end, last + 1];
  }
  return lines;
}

/** Counts the lines of a hunk that belong to one text: those without the other text's mark. */
function countOf(hunk: readonly Step[], without: '-' | '+'): number {
  return hunk.filter(({ kind }) => kind !== without).length;
}

/** Formats the extent of a hunk; an empty one has the number of the line before it. */
function extent(line: number, count: number): string {
  return count === 1 ? `${line}` : `${count === 0 ? line - 1 : line},${count}`;
}

function stepLines({ kind, line }: Step, shown: (line: string) => string): string[] {
  const text = `${kind}${shown(line.replace(/\n$/, ''))}`;
  return line.endsWith('\n') ? [text] : [text, '\\ No newline at end of file'];
}
