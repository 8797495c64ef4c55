import { checkArgument } from '@coreiso/peers/arguments';

/** The consoles of an installed system, as `--dest-console` and the installer's `console` key spell them. */

const KARG_PREFIX = 'console=';
const SERIAL = /^(ttyS|ttyAMA)([0-9]+)(?:,([0-9]+)(?:([noe])([5-8])?)?)?$/;
const GRAPHICAL: ReadonlySet<string> = new Set(['tty0', 'hvc0', 'ttysclp0']);
const HINT_WIDTH = 80;

/**
 * Reads a console spec into its full spelling (`ttyS0` → `ttyS0,9600n8`), or returns why it is invalid.
 *
 * @example normalizeConsole('ttyS0') // { console: 'ttyS0,9600n8' }
 */
export function normalizeConsole(spec: string): { readonly console: string } | { readonly reason: string } {
  checkArgument('spec', spec, 'text');
  for (const prefix of [KARG_PREFIX, '/dev/']) {
    if (spec.startsWith(prefix)) return { reason: `spec should not start with "${prefix}"` };
  }
  const serial = SERIAL.exec(spec);
  // Without the m flag `$` never matches before a final newline, as in the original.
  if (serial === null) {
    return GRAPHICAL.has(spec) ? { console: spec } : { reason: 'invalid or unsupported console argument' };
  }
  const [, device = '', port = '', speed = '9600', parity = 'n', bits = '8'] = serial;
  if (Number(port) > 255) return { reason: "couldn't parse port" };
  if (Number(speed) > 0xffff_ffff) return { reason: "couldn't parse speed" };
  return { console: `${device}${Number(port)},${Number(speed)}${parity}${bits}` };
}

/** The advice to use console options, if all `console=` arguments are valid consoles; undefined otherwise. */
export function consoleHint(kargs: readonly string[]): string | undefined {
  const specs = kargs.filter((karg) => karg.startsWith(KARG_PREFIX)).map((karg) => karg.slice(KARG_PREFIX.length));
  if (specs.length === 0 || specs.some((spec) => 'reason' in normalizeConsole(spec))) return undefined;
  const instead = specs.map((spec) => `--dest-console ${spec}`).join(' ');
  const given = specs.map((spec) => `--dest-karg-append ${KARG_PREFIX}${spec}`).join(' ');
  // Lines break only outside the quoted command lines.
  const words = [
    ...'Note: consider using'.split(' '),
    `"${instead}"`,
    ...'instead of'.split(' '),
    `"${given}"`,
    ...'to configure both kernel and bootloader consoles.'.split(' '),
  ];
  return `\n${wrap(words, HINT_WIDTH)}\n`;
}

function wrap(words: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
