/** Go names and RPM names differ only for the first two: `amd64` is `x86_64`, `arm64` is `aarch64`. */
export type RpmArchitecture = 'x86_64' | 'aarch64' | 'ppc64le' | 's390x';

const RPM_NAMES: ReadonlyMap<string, RpmArchitecture> = new Map([
  ['amd64', 'x86_64'],
  ['arm64', 'aarch64'],
]);
const GO_NAMES: ReadonlyMap<string, string> = new Map([...RPM_NAMES].map(([go, rpm]) => [rpm, go]));

const SUPPORTED: readonly RpmArchitecture[] = ['x86_64', 'aarch64', 'ppc64le', 's390x'];

/**
 * The RPM name of an architecture in either family; a name that is unknown stays as it is.
 *
 * @example rpmName('amd64') // 'x86_64'
 */
export function rpmName(architecture: string): string {
  return RPM_NAMES.get(architecture) ?? architecture;
}

/**
 * The Go name of an architecture in either family; a name that is unknown stays as it is.
 *
 * @example goName('x86_64') // 'amd64'
 */
export function goName(architecture: string): string {
  return GO_NAMES.get(architecture) ?? architecture;
}

/**
 * The architecture if images are made for it.
 *
 * @example imageArchitecture('arm64') // 'aarch64'
 */
export function imageArchitecture(architecture: string): RpmArchitecture | undefined {
  const name = rpmName(architecture);
  return SUPPORTED.find((supported) => supported === name);
}

/**
 * Upstream's complaint about an architecture, with the blank at its end, or undefined.
 *
 * @example architectureProblem('riscv64') // 'Config.Spec.CpuArchitecture riscv64 is not supported '
 */
export function architectureProblem(architecture: string): string | undefined {
  const name = rpmName(architecture);
  if (name === '' || imageArchitecture(name) !== undefined) return undefined;
  return `Config.Spec.CpuArchitecture ${name} is not supported `;
}
