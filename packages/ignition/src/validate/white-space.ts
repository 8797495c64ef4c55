const CLASS = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const ENDS = new RegExp(`^${CLASS}+|${CLASS}+$`, 'g');
const BLANK = new RegExp(`^${CLASS}*$`);

/** Removes white space in Unicode's sense, which is not that of `String.prototype.trim`. */
export function trimWhiteSpace(text: string): string {
  return text.replace(ENDS, '');
}

export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
