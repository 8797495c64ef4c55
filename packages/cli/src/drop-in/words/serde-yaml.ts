// The messages of serde_yaml about a text that is not well-formed.
import type { Diagnostic, YamlDiagnostic } from '@coreiso/diagnostics';

/**
 * Returns a syntax error: `did not find expected ',' or ']' at line 2 column 1, while parsing a flow sequence at line 1
 * column 13`.
 */
export function serdeYamlMessage(diagnostic: Diagnostic): string {
  if (diagnostic.code === 'diagnostics/undefined-alias' && diagnostic.range !== undefined) {
    const { line, column } = diagnostic.range.start;
    return `unknown anchor${placeText({ line: line - 1, column: column - 1 })}`;
  }
  if (!isYamlDiagnostic(diagnostic)) return diagnostic.message;
  const { stage, problem, mark, byteOffset, context, contextMark } = diagnostic.libyaml;
  if (stage === 'reader') return byteOffset === 0 ? problem : `${problem} at position ${byteOffset}`;
  if (context === undefined) return problem + placeText(mark);
  const isElsewhere = contextMark.line !== mark.line || contextMark.column !== mark.column;
  return `${problem}${placeText(mark)}, ${context}${isElsewhere ? placeText(contextMark) : ''}`;
}

function placeText({ line, column }: YamlDiagnostic['libyaml']['mark']): string {
  return line === 0 && column === 0 ? '' : ` at line ${line + 1} column ${column + 1}`;
}

function isYamlDiagnostic(diagnostic: Diagnostic): diagnostic is YamlDiagnostic {
  return 'libyaml' in diagnostic;
}

/** The forms of RFC 3629 by first octet, with the smallest character that needs that many octets. */
const FORMS = [
  { lead: 0x00, mask: 0x80, width: 1, least: 0 },
  { lead: 0xc0, mask: 0xe0, width: 2, least: 0x80 },
  { lead: 0xe0, mask: 0xf0, width: 3, least: 0x800 },
  { lead: 0xf0, mask: 0xf8, width: 4, least: 0x10000 },
];

/**
 * Returns the message of serde_yaml about undecodable bytes: the first octet that breaks a sequence, or an earlier control
 * character; undefined if all characters are readable.
 */
export function serdeYamlEncodingMessage(bytes: Uint8Array): string | undefined {
  const at = (problem: string, offset: number): string => (offset === 0 ? problem : `${problem} at position ${offset}`);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let offset = hasMark ? 3 : 0; offset < bytes.length; ) {
    const first = bytes[offset] ?? 0;
    const form = FORMS.find(({ lead, mask }) => (first & mask) === lead);
    if (form === undefined) return at('invalid leading UTF-8 octet', offset);
    if (offset + form.width > bytes.length) return at('incomplete UTF-8 octet sequence', offset);
    let character = first & ~form.mask;
    for (let place = offset + 1; place < offset + form.width; place++) {
      const octet = bytes[place] ?? 0;
      if ((octet & 0xc0) !== 0x80) return at('invalid trailing UTF-8 octet', place);
      character = (character << 6) | (octet & 0x3f);
    }
    if (character < form.least) return at('invalid length of a UTF-8 sequence', offset);
    if ((character >= 0xd800 && character <= 0xdfff) || character > 0x10ffff) {
      return at('invalid Unicode character', offset);
    }
    if (!isAllowed(character)) return at('control characters are not allowed', offset);
    offset += form.width;
  }
  return undefined;
}

/** YAML 1.1, 5.1: the printable subset; libyaml accepts a byte order mark only as the first character. */
function isAllowed(character: number): boolean {
  if (character < 0x20) return character === 0x09 || character === 0x0a || character === 0x0d;
  if (character < 0xa0) return character <= 0x7e || character === 0x85;
  return character !== 0xfeff && character !== 0xfffe && character !== 0xffff;
}
