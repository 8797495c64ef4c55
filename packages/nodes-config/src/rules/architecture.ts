import { rpmName } from '@coreiso/peers/go';

/** Go names and RPM names differ only for the first two: `amd64` is `x86_64`, `arm64` is `aarch64`. */
export type RpmArchitecture = 'x86_64' | 'aarch64' | 'ppc64le' | 's390x';

const SUPPORTED: readonly RpmArchitecture[] = ['x86_64', 'aarch64', 'ppc64le', 's390x'];

/**
 * The name of an architecture in image files, or undefined if no images are made for it.
 *
 * @example imageArchitecture('arm64') // 'aarch64'
 */
export function imageArchitecture(architecture: string): RpmArchitecture | undefined {
  const name = rpmName(architecture);
  return SUPPORTED.find((supported) => supported === name);
}

/**
 * Upstream's complaint about an architecture, with its final blank, or undefined.
 *
 * @example architectureProblem('riscv64') // 'Config.Spec.CpuArchitecture riscv64 is not supported '
 */
export function architectureProblem(architecture: string): string | undefined {
  const name = rpmName(architecture);
  if (name === '' || imageArchitecture(name) !== undefined) return undefined;
  return `Config.Spec.CpuArchitecture ${name} is not supported `;
}
