import type { FoundValue } from '@coreiso/ignition/customize';
import { debugText } from '@coreiso/peers/rust';

/** The words that differ between the two parsers of serde. */
interface Dialect {
  readonly nothing: string;
  float(value: number): string;
}

/** Describes the found value of a type error in the words of serde. */
export function foundText(found: FoundValue, { nothing, float }: Dialect): string {
  switch (found.kind) {
    case 'list':
      return 'sequence';
    case 'object':
      return 'map';
    case 'float':
      return `floating point \`${float(found.value)}\``;
    case 'string':
      return `string ${debugText(found.value)}`;
    case 'null':
      return nothing;
    default:
      return `${found.kind} \`${found.value}\``;
  }
}
