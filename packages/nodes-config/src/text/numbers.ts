import { goYaml, type Node, type ScalarNode, toPlain } from '@coreiso/diagnostics';

/**
 * Values as Go reads them; YAML's integers are bigint, but become numbers because code compares members with numbers.
 */
export function plainValues(node: Node): unknown {
  return toPlain(node, inNumbers);
}

const inNumbers = Object.assign(
  (node: ScalarNode) => {
    const value = goYaml(node);
    return typeof value === 'bigint' ? Number(value) : value;
  },
  { key: goYaml.key },
);
