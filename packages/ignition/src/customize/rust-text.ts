/** A float as upstream's JSON decoder words it: with a fraction from 1e-5 up to 1e16, else with an exponent. */
export function floatText(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const power = Number(exponent);
  let text = `${mantissa}e${power}`;
  if (value === 0) text = '0.0';
  else if (power >= -5 && power < 16) {
    const digits = mantissa.replace('.', '');
    const whole = power < 0 ? '0' : digits.slice(0, power + 1).padEnd(power + 1, '0');
    const fraction = power < 0 ? '0'.repeat(-power - 1) + digits : digits.slice(power + 1);
    text = `${whole}.${fraction || '0'}`;
  }
  return `floating point \`${sign}${text}\``;
}

/** A string between quotes with the escapes of a Rust debug print, for the characters likely to occur. */
export function debugText(text: string): string {
  return JSON.stringify(text).replace(/\\u([0-9a-f]{4})|\\[bf]/g, (sequence, hex?: string) => {
    if (sequence === '\\b') return '\\u{8}';
    if (sequence === '\\f') return '\\u{c}';
    const code = Number.parseInt(hex ?? '', 16);
    return code === 0 ? '\\0' : `\\u{${code.toString(16)}}`;
  });
}
