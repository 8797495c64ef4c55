import { type Config, type Expiry, file, findExpiries } from '@coreiso/ignition';
import { checkArgument } from '@coreiso/peers/arguments';
import type { ClusterFacts } from './facts.ts';

/** Something in an image for this cluster that stops working on a day, and what of the cluster it belongs to. */
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
    // A pointer config is a config; what is not one has no pieces to look into.
    found.push(...findExpiries(workerUserData as Config).map((expiry) => describe('worker user data', expiry)));
  }
  return found.sort((a, b) => a.notAfter.getTime() - b.notAfter.getTime());
}

function describe(what: FactExpiry['what'], { kind, name, notBefore, notAfter }: Expiry): FactExpiry {
  return { what, kind, name, notBefore, notAfter };
}
