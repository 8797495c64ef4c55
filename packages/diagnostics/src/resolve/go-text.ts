import type { ScalarNode, ScalarValue } from '../node.ts';
import { goYaml } from './go-yaml.ts';

/** How sigs.k8s.io/yaml writes a value into a field that wants text; null has no text. */
export function goText(value: ScalarValue): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'number' ? formatFloat32(value) : String(value);
}

/** The member name a key becomes, or undefined for one that sigs.k8s.io/yaml refuses (null, and integers beyond 63 bits). */
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

/** `%g` with the fewest digits changes to an exponent here. */
const EXPONENT_FROM = 6;

/** Go's `strconv.FormatFloat(value, 'g', -1, 32)`: the fewest digits that a 32-bit float tells apart. */
function formatFloat32(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return 'NaN';
  if (!Number.isFinite(single)) return single > 0 ? '+Inf' : '-Inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let precision = 1;
  while (Math.fround(Number(single.toPrecision(precision))) !== single) precision++;
  const [mantissa = '', exponentText = ''] = single.toExponential(precision - 1).split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < EXPONENT_FROM) return Number(`${mantissa}e${exponent}`).toString();
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${Math.abs(exponent).toString().padStart(2, '0')}`;
}
