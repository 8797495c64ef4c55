// Texts of the service, in the form of coreiso's sentences.

/** In one line, without surrounding blanks: the service ends some of its texts with a line break, and leaves lists in them empty. */
export function inline(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ');
}

/** A normal form of a text: the service lists images and hosts in any order. */
export function meaning(text: string): string {
  return (text.match(/[^\s,;]+/g) ?? [])
    .map((word) => word.replace(/\.$/, ''))
    .sort()
    .join(' ');
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces ids of hosts by their names. */
export function withHostNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(UUID, (id) => names.get(id) ?? id);
}
