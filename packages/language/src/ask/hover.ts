import type { Extent, Path, TextDocument } from '@coreiso/diagnostics';
import { isSecretPath } from '@coreiso/peers/secret-names';
import type { LanguageKind } from '../kinds.ts';
import { nodesTo, pathAt } from '../path-at.ts';
import { descriptionOf, type Schema, shapesAt, typesOf, wordsOf } from '../schema.ts';

/** Documentation of the member at a place, as Markdown. It never contains values of the document. */
export interface Hover extends Extent {
  readonly markdown: string;
}

export function hoverAt(kind: LanguageKind, document: TextDocument, offset: number): Hover | undefined {
  const path = pathAt(document.root, offset);
  const place = placeOf(document, path, offset);
  if (place === undefined) return undefined;
  const named = path.slice(0, path.findLastIndex((step) => typeof step === 'string') + 1);
  const shapes = shapesAt(kind, document.root, named);
  const markdown = markdownOf(String(named.at(-1)), shapes, isSecretPath(named));
  return markdown === undefined ? undefined : { ...place, markdown };
}

/** The description of a member from its schemas, if they have one. */
export function markdownOf(name: string, shapes: readonly Schema[], isSecret: boolean): string | undefined {
  const description = descriptionOf(shapes);
  const types = [...typesOf(shapes)].filter((type) => type !== 'null');
  const words = isSecret ? [] : wordsOf(shapes);
  if (description === undefined && types.length === 0) return undefined;
  const parts = [
    `**${name}**${types.length === 0 ? '' : ` (${types.join(' or ')})`}`,
    ...(description === undefined ? [] : [description]),
    ...(words.length === 0 ? [] : [`Values: ${words.map((word) => `\`${word}\``).join(', ')}`]),
  ];
  return parts.join('\n\n');
}

/** The key at the pointer, or else the scalar. */
function placeOf(document: TextDocument, path: Path, offset: number): Extent | undefined {
  const nodes = nodesTo(document, path);
  const holder = nodes[path.length - 1];
  const entry =
    holder?.kind === 'mapping' ? holder.entries.find(({ key }) => key.start <= offset && offset <= key.end) : undefined;
  const node = entry?.key ?? nodes[path.length];
  return node?.kind === 'scalar' ? { start: node.start, end: node.end } : undefined;
}
