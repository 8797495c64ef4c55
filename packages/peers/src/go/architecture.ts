// Names of architectures in Go and in RPM; only two of them differ.

const RPM_NAMES: ReadonlyMap<string, string> = new Map([
  ['amd64', 'x86_64'],
  ['arm64', 'aarch64'],
]);
const GO_NAMES: ReadonlyMap<string, string> = new Map([...RPM_NAMES].map(([go, rpm]) => [rpm, go]));

/**
 * The RPM name of an architecture, from its Go or RPM name. Unknown names stay as they are.
 *
 * @example rpmName('amd64') // 'x86_64'
 */
export function rpmName(architecture: string): string {
  return RPM_NAMES.get(architecture) ?? architecture;
}

/**
 * The Go name of an architecture, from its Go or RPM name. Unknown names stay as they are.
 *
 * @example goName('x86_64') // 'amd64'
 */
export function goName(architecture: string): string {
  return GO_NAMES.get(architecture) ?? architecture;
}
