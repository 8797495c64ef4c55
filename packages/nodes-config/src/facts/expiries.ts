import { type Config, type Expiry, file, findExpiries } from '@coreiso/ignition';
import { checkArgument } from '@coreiso/peers/arguments';
import type { ClusterFacts } from './facts.ts';

/** A certificate or token in an image for this cluster, with its expiry and the fact that it comes from. */
type FactExpiry = ReturnType<typeof factExpiries>[number];

/**
 * Certificates and tokens that images embed, the earliest expiry first.
 *
 * @example factExpiries(facts)[0]?.notAfter
 */
export function factExpiries(facts: ClusterFacts): (Pick<Expiry, 'kind' | 'name' | 'notBefore' | 'notAfter'> & {
  readonly what: 'trust bundle' | 'worker user data';
})[] {
  checkArgument('facts', facts, 'object');
  const { trustBundle = '', workerUserData } = facts;
  const bundle: Config = {
    ignition: { version: '3.2.0' },
    storage: { files: [file('/trust-bundle', trustBundle, { compress: 'never' })] },
  };
  const found = findExpiries(bundle).map((expiry) => describe('trust bundle', expiry));
  if (workerUserData !== undefined) {
    // A pointer config is a config; other values have no parts to search.
    found.push(...findExpiries(workerUserData as Config).map((expiry) => describe('worker user data', expiry)));
  }
  return found.sort((a, b) => a.notAfter.getTime() - b.notAfter.getTime());
}

function describe(what: FactExpiry['what'], { kind, name, notBefore, notAfter }: Expiry): FactExpiry {
  return { what, kind, name, notBefore, notAfter };
}
