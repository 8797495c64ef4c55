// An API that fails for a while after the bootstrap: the peer then reads each object once, and gives up.
import { describe, expect, test } from 'vitest';
import { ClusterError, type ClusterErrorCode } from '../../src/errors.ts';
import type { KubeObject } from '../../src/objects.ts';
import { waitForInstall } from '../../src/wait/install.ts';
import { StoryClock, StoryReader } from '../replay/story.ts';

const POOLS = '/apis/machineconfiguration.openshift.io/v1/';
const condition = (type: string, status: string) => ({ type, status });
const OBJECTS: Readonly<Record<string, KubeObject | readonly KubeObject[]>> = {
  '/api/v1/namespaces/kube-system/configmaps/bootstrap': { data: { status: 'complete' } },
  '/apis/config.openshift.io/v1/clusterversions/version': {
    status: {
      conditions: [condition('Available', 'True'), condition('Failing', 'False'), condition('Progressing', 'False')],
    },
  },
  '/apis/config.openshift.io/v1/clusteroperators': [],
  '/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert': { data: { 'ca-bundle.crt': 'pem' } },
  [`${POOLS}machineconfigpools/worker`]: { status: { configuration: { name: 'rendered-worker' } } },
  [`${POOLS}machineconfigpools/master`]: { status: { configuration: { name: 'rendered-master' } } },
  [`${POOLS}machineconfigs/rendered-worker`]: { spec: { fips: true } },
  [`${POOLS}machineconfigs/rendered-master`]: { spec: { fips: true } },
  '/apis/route.openshift.io/v1/namespaces/openshift-console/routes/console': {
    spec: { tls: {} },
    status: { ingress: [{ host: 'console.test', conditions: [condition('Admitted', 'True')] }] },
  },
};

class Api extends StoryReader {
  readonly #fails: (path: string) => ClusterError | undefined;

  constructor(fails: (path: string) => ClusterError | undefined) {
    super();
    this.#fails = fails;
  }

  override answer(path: string): KubeObject | readonly KubeObject[] | undefined {
    const error = this.#fails(path);
    if (error !== undefined) throw error;
    return OBJECTS[path];
  }
}

/** Waits while requests of one path fail for some milliseconds, counted from the first request. */
async function wait(mode: 'strict' | 'compatible', trouble: { path: RegExp; code: ClusterErrorCode; lasts: number }) {
  const clock = new StoryClock();
  let first: number | undefined;
  const cluster = new Api((path) => {
    if (!trouble.path.test(path)) return undefined;
    first ??= clock.now();
    return clock.now() - first < trouble.lasts ? new ClusterError(trouble.code, 'in trouble') : undefined;
  });
  const told: string[] = [];
  const install = waitForInstall(
    { cluster, probeSsh: async () => undefined, trustAuthority: async () => undefined },
    {
      rendezvousIp: '192.0.2.10',
      server: 'https://api.test',
      kubeconfig: 'auth/kubeconfig',
      adminPassword: 'password',
      fips: true,
      clock,
      mode,
    },
  );
  let step = await install.next();
  for (; !step.done; step = await install.next()) told.push(step.value.message);
  return { exit: step.value, told, seconds: (clock.now() - (first ?? 0)) / 1000 };
}

const PLACES: readonly [string, RegExp, string][] = [
  ['the authority of the routes', /default-ingress-cert$/, 'fetching default-ingress-cert'],
  ['the pool of the workers', /machineconfigpools\/worker$/, 'worker MachineConfigPool cannot be read: in trouble'],
  [
    'the rendered config of the control plane',
    /rendered-master$/,
    'the config of the master pool (rendered-master) cannot be read: in trouble',
  ],
];

describe.each(PLACES)('%s', (_, path, words) => {
  test.each<ClusterErrorCode>(['CLUSTER_UNREACHABLE', 'CLUSTER_TIMEOUT', 'CLUSTER_API', 'CLUSTER_NOT_AN_API'])(
    'is read again after %s, which is reported once',
    async (code) => {
      const { exit, told } = await wait('strict', { path, code, lasts: 4 * 60_000 });
      expect(exit).toBe(0);
      expect(told.filter((message) => message === 'The Kube API cannot be read: in trouble')).toHaveLength(1);
    },
  );

  test('is read for no longer than five minutes', async () => {
    const trouble = { path, code: 'CLUSTER_UNREACHABLE', lasts: Number.POSITIVE_INFINITY } as const;
    const { exit, told, seconds } = await wait('strict', trouble);
    expect([exit, told.at(-1)]).toEqual([6, expect.stringContaining(words)]);
    expect(seconds).toBe(300);
  });

  test('ends the wait at once if the permission is missing', async () => {
    const { exit, seconds } = await wait('strict', { path, code: 'CLUSTER_FORBIDDEN', lasts: 1000 });
    expect([exit, seconds]).toEqual([6, 0]);
  });

  test('is read once in compatible mode', async () => {
    const { exit, seconds } = await wait('compatible', { path, code: 'CLUSTER_UNREACHABLE', lasts: 1000 });
    expect([exit, seconds]).toEqual([6, 0]);
  });
});
