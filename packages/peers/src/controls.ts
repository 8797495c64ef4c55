import { checkArgument } from './arguments.ts';

/**
 * C0 without tab and line ends, DEL, C1, line separators, marks and overrides of text direction, and the byte order mark. A
 * carriage return is a line end only before a line feed; alone it lets text overwrite its line.
 */
const CONTROLS =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\r(?!\n)/g;

/**
 * Makes control characters visible, so that foreign text cannot move the cursor, colour the terminal or reverse the text after
 * it. Keeps tabs and line ends.
 *
 * @example showControls('a\u001b[2J') // 'a\u241b[2J'
 */
export function showControls(text: string): string {
  checkArgument('text', text, 'text');
  return text.replace(CONTROLS, picture);
}

/**
 * Like `showControls`, for text that has to stay on one line: makes line ends visible too.
 *
 * @example showLine('csr-1\nok') // 'csr-1\u240aok'
 */
export function showLine(text: string): string {
  return showControls(text).replace(/[\r\n]/g, picture);
}

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
