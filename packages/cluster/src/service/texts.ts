// Texts of the service, as they are in sentences of coreiso.

/** In one line, without blanks around it: the service ends some of its texts in a line break, and leaves lists of theirs empty. */
export function inline(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ');
}

/** A normal form of a text, because the service lists images and hosts in any order. */
export function meaning(text: string): string {
  return (text.match(/[^\s,;]+/g) ?? [])
    .map((word) => word.replace(/\.$/, ''))
    .sort()
    .join(' ');
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** With hosts called by their names where the service calls them by their ids. */
export function withHostNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(UUID, (id) => names.get(id) ?? id);
}
