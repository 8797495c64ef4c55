/** A float as upstream's JSON decoder words it: with a fraction from 1e-5 up to 1e16, else with an exponent. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return `floating point \`${Number.isNaN(value) ? 'NaN' : value < 0 ? '-inf' : 'inf'}\``;
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const power = Number(exponent);
  let text = `${mantissa}e${power < 0 ? '' : '+'}${power}`;
  if (value === 0) text = '0.0';
  else if (power >= -5 && power < 16) {
    const digits = mantissa.replace('.', '');
    const whole = power < 0 ? '0' : digits.slice(0, power + 1).padEnd(power + 1, '0');
    const fraction = power < 0 ? '0'.repeat(-power - 1) + digits : digits.slice(power + 1);
    text = `${whole}.${fraction || '0'}`;
  }
  return `floating point \`${sign}${text}\``;
}

/** A string between quotes as Rust's debug print shows it. */
export function debugText(text: string): string {
  return `"${[...text].map((character) => (character === '"' ? '\\"' : escaped(character))).join('')}"`;
}

/** A character between single quotes as Rust's debug print shows it. */
export function debugCharacter(character: string): string {
  return `'${character === "'" ? "\\'" : escaped(character)}'`;
}

const SHORT: Readonly<Record<string, string>> = { '\0': '\\0', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

function escaped(character: string): string {
  if (character === ' ') return character;
  const invisible = /[\p{C}\p{Z}]/u.test(character);
  return SHORT[character] ?? (invisible ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character);
}
