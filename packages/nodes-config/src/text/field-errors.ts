// Kubernetes's messages about fields.
import { formatPath, type Path } from '@coreiso/diagnostics';
import { goQuote } from '@coreiso/peers/go';

/**
 * As `field.Required` of Kubernetes prints it.
 *
 * @example required(['baseDomain'], 'must be given') // 'baseDomain: Required value: must be given'
 */
export function required(path: Path, detail: string): string {
  return `${formatPath(path)}: Required value: ${detail}`;
}

/**
 * As `field.Invalid` of Kubernetes prints it.
 *
 * @example invalid(['name'], 'A', 'too short') // 'name: Invalid value: "A": too short'
 */
export function invalid(path: Path, value: FieldValue, detail: string): string {
  return `${formatPath(path)}: Invalid value: ${valueText(value)}: ${detail}`;
}

/**
 * As `field.NotSupported` of Kubernetes prints it.
 *
 * @example unsupported(['role'], 'x', ['master']) // 'role: Unsupported value: "x": supported values: "master"'
 */
export function unsupported(path: Path, value: FieldValue, supported: readonly string[]): string {
  const list = supported.map((one) => goQuote(one)).join(', ');
  return `${formatPath(path)}: Unsupported value: ${valueText(value)}: supported values: ${list}`;
}

/** @example duplicate(['compute', 1, 'name'], 'worker') // 'compute[1].name: Duplicate value: "worker"' */
export function duplicate(path: Path, value: string): string {
  return `${formatPath(path)}: Duplicate value: ${goQuote(value)}`;
}

/** @example tooMany(['apiVIPs'], 3, 2) // 'apiVIPs: Too many: 3: must have at most 2 items' */
export function tooMany(path: Path, given: number, most: number): string {
  return `${formatPath(path)}: Too many: ${given}: must have at most ${most} items`;
}

/**
 * As `field.Forbidden` of Kubernetes prints it.
 *
 * @example forbidden(['fips'], 'not here') // 'fips: Forbidden: not here'
 */
export function forbidden(path: Path, detail: string): string {
  return `${formatPath(path)}: Forbidden: ${detail}`;
}

type FieldValue = string | number | object | null;

/** Text is quoted; other values become JSON. */
function valueText(value: FieldValue): string {
  return typeof value === 'string' ? goQuote(value) : JSON.stringify(value);
}
