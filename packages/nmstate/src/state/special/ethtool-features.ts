import type { Node } from '@coreiso/diagnostics';
import type { Reader } from '../reader.ts';
import type { SpecialType } from '../table.ts';

/** Features by name. Numbers are refused, their texts are not. */
export const ethtoolFeatures: SpecialType = {
  kind: 'special',
  typescript: '{ readonly [feature: string]: boolean }',
  schema: {
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|0|1)$' }],
    },
  },
  read(node, reader) {
    if (node.kind !== 'mapping') return reader.wrongType(node, 'a map', 'Need to hash map of String:bool');
    const features: Record<string, boolean> = Object.create(null);
    for (const { key, value } of reader.entries(node)) {
      const name = key.kind === 'scalar' ? key.text : '';
      const on = reader.within(name, () => featureValue(value, reader));
      if (on !== undefined) features[name] = on;
    }
    return features;
  },
};

function featureValue(node: Node, reader: Reader): boolean | undefined {
  const value = reader.scalar(node);
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return reader.refuse(node, 'wrong-value', 'true or false is needed here', 'Invalid feature value, should be boolean');
}
