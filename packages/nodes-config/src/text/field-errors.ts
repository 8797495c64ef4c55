// How Kubernetes words what is wrong with a field.
import { formatPath, type Path } from '@coreiso/diagnostics';
import { goQuote } from '@coreiso/diagnostics/go';

export function required(path: Path, detail: string): string {
  return `${formatPath(path)}: Required value: ${detail}`;
}

export function invalid(path: Path, value: string, detail: string): string {
  return `${formatPath(path)}: Invalid value: ${goQuote(value)}: ${detail}`;
}

export function unsupported(path: Path, value: string, supported: readonly string[]): string {
  const list = supported.map((one) => goQuote(one)).join(', ');
  return `${formatPath(path)}: Unsupported value: ${goQuote(value)}: supported values: ${list}`;
}

export function forbidden(path: Path, detail: string): string {
  return `${formatPath(path)}: Forbidden: ${detail}`;
}
