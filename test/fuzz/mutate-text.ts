import type { Random } from './random.ts';

/**
 * Tokens with a meaning in YAML, JSON, INI, shell or headers, and texts that readers take for numbers and addresses.
 */
const PARTS = [
  ...[
    '',
    ' ',
    '\n',
    '\t',
    '\r\n',
    '- ',
    ': ',
    ', ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '|',
    '>',
    '&a ',
    '*a',
    '!!str ',
    '# ',
    '%',
  ],
  ...[
    '---\n',
    '...\n',
    '? ',
    '<<: ',
    '~',
    'null',
    'true',
    'no',
    '0',
    '-1',
    '1e3',
    '0x10',
    '0o7',
    '.5',
    '.inf',
    '\\',
    '\\u0000',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '$',
    '=',
    ';',
    '\u0000',
    '\u0085',
    '\u2028',
    '\ufeff',
    'ü',
    '😀',
    '\ud800',
  ],
  ...[
    '18446744073709551615',
    '9007199254740993',
    '2147483648',
    '65536',
    '256',
    '192.0.2.1',
    '192.0.2.0/24',
    '::1',
    '2001:db8::/32',
  ],
];
const TOKEN = /[\w.\-/:]+|\s+|[^\w\s]/g;

/** Changes lines, words and indentation. */
export function mutateText(input: Uint8Array, other: Uint8Array, words: readonly string[], random: Random): Uint8Array {
  const decoder = new TextDecoder();
  let text = decoder.decode(input);
  for (let left = 1 << random.below(3); left > 0; left--)
    text = change(text, () => decoder.decode(other), words, random);
  return new TextEncoder().encode(text);
}

function change(text: string, other: () => string, words: readonly string[], random: Random): string {
  const word = () => (random.oneIn(2) || words.length === 0 ? random.pick(PARTS) : random.pick(words));
  const kind = random.below(8);
  if (kind < 3) {
    const tokens = text.match(TOKEN) ?? [''];
    const index = random.below(tokens.length);
    const number = Number(tokens[index]);
    if (kind === 0) tokens[index] = word();
    else if (kind === 1 && Number.isInteger(number)) tokens[index] = String(number + random.below(5) - 2);
    else if (kind === 1) tokens[index] = random.pick(tokens);
    else tokens.splice(index, 0, word());
    return tokens.join('');
  }
  const lines = text.split('\n');
  const index = random.below(lines.length);
  const line = lines[index] as string;
  switch (kind) {
    case 3:
      lines.splice(index, 1 + (random.oneIn(3) ? random.below(4) : 0));
      break;
    case 4:
      lines.splice(random.below(lines.length + 1), 0, ...lines.slice(index, index + 1 + random.below(4)));
      break;
    case 5: {
      const to = random.below(lines.length);
      lines[index] = lines[to] as string;
      lines[to] = line;
      break;
    }
    case 6:
      lines[index] = random.oneIn(2) ? `${' '.repeat(1 + random.below(3))}${line}` : line.replace(/^ {1,2}/, '');
      break;
    default: {
      const theirs = other().split('\n');
      const start = random.below(theirs.length);
      lines.splice(index, random.below(3), ...theirs.slice(start, start + 1 + random.below(6)));
    }
  }
  return lines.join('\n');
}
