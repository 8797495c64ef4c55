/** YAML 1.1 §5.4: line ends. */
export function isBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}

export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

/** Blank, line break, or the end of the text. */
export function endsWord(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d || Number.isNaN(unit) || isBreak(unit);
}

/** Letters, digits, `-` and `_`: names of anchors, directives and tag handles. */
export function isNameCharacter(unit: number): boolean {
  return isDigit(unit) || isLetter(unit) || unit === 0x2d || unit === 0x5f;
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** `,` `[` `]` `{` `}` */
export function isFlowIndicator(unit: number): boolean {
  return unit === 0x2c || unit === 0x5b || unit === 0x5d || unit === 0x7b || unit === 0x7d;
}

const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]|[\ud800-\udfff]/u;

/** The index of the first character that no YAML text may contain, not even in a comment (YAML 1.1 §5.1), or -1. */
export function findForbiddenCharacter(text: string): number {
  return text.search(FORBIDDEN);
}
