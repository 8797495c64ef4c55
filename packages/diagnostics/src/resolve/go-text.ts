import { formatFloat } from '@coreiso/peers/go';
import type { ScalarNode, ScalarValue } from '../node.ts';
import { goYaml } from './go-yaml.ts';

/**
 * How sigs.k8s.io/yaml writes a value into a field that wants text; null has no text.
 *
 * @example goText(1234567.5) // '1.2345675e+06'
 */
export function goText(value: ScalarValue): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'number' ? formatFloat(value, 32) : String(value);
}

/**
 * The member name a key becomes, or undefined for one that sigs.k8s.io/yaml refuses (null, and integers beyond 63 bits).
 *
 * @example goKey(entry.key) // 'true' for a key written `yes`
 */
export function goKey(node: ScalarNode): string | undefined {
  const value = goYaml(node);
  if (typeof value === 'bigint' && value >= 1n << 63n) return undefined;
  if (typeof value === 'number' && !Number.isFinite(Math.fround(value))) return specialKey(value);
  return goText(value);
}

function specialKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  return value > 0 ? '.inf' : '-.inf';
}
