type NodeKind = 'file' | 'directory';

const SETUID = 0o4000;
const SETGID = 0o2000;
const STICKY = 0o1000;
const [READ, WRITE, EXECUTE] = [4, 2, 1] as const;

/** Refuses what is no mode, and what is almost surely an octal mode that lost its `0o`: `mode: 755`. */
export function checkMode(mode: number | undefined, kind: NodeKind): void {
  if (mode === undefined) return;
  if (!Number.isInteger(mode) || mode < 0 || mode > 0o7777)
    throw new RangeError(`mode ${mode} is not between 0 and 0o7777`);
  const digits = String(mode);
  if (!/^[0-7]+$/.test(digits) || isTypical(mode, kind)) return;
  if (isTypical(Number.parseInt(digits, 8), kind)) throw new RangeError(`mode ${mode} is decimal; write 0o${mode}`);
}

/** Whether somebody would give this mode to a file or directory on purpose; the rule is Butane's. */
function isTypical(mode: number, kind: NodeKind): boolean {
  if (mode === 0) return true;
  const classes = [mode & 7, (mode >> 3) & 7, (mode >> 6) & 7];
  let granted = 0;
  for (const bits of classes) {
    if ((granted & ~bits) !== 0) return false;
    if ((bits & (WRITE | EXECUTE)) !== 0 && (bits & READ) === 0) return false;
    if ((bits & EXECUTE) !== 0 && (granted & READ) !== 0 && (granted & EXECUTE) === 0) return false;
    granted = bits;
  }
  if ((granted & READ) === 0) return false;
  const special = mode & (SETUID | SETGID | STICKY);
  if (kind === 'directory') {
    if ((granted & EXECUTE) === 0 || (special & SETUID) !== 0) return false;
    return special === 0 || (granted & WRITE) !== 0;
  }
  if ((special & STICKY) !== 0) return false;
  return special === 0 || ((granted & EXECUTE) !== 0 && (mode & WRITE) === 0);
}
