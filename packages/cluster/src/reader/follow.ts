// A list that is kept current: list once, then watch from its version, across every kind of interruption.
import { checkArgument, checkMethods } from '@coreiso/peers/arguments';
import { type Clock, systemClock } from '../clock.ts';
import { ClusterError } from '../errors.ts';
import { type KubeObject, memberOf, textOf } from '../objects.ts';
import type { ClusterReader } from './port.ts';
import { statusError } from './refusals.ts';

const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** The maximum size of a list: if a server keeps adding objects, the list is read again. */
const MAX_OBJECTS = 500_000;

/**
 * Yields the whole list, and again after each change. A closed connection is resumed by resourceVersion, so no event is lost; if
 * the server has dropped that version (410), the list is read again. Each failure is reported once per cause and retried with
 * growing pauses.
 *
 * @example
 * for await (const nodes of follow(cluster, '/api/v1/nodes', { signal })) {
 *   if (nodes.ok) console.log(nodes.items.length);
 * }
 */
export async function* follow(
  cluster: ClusterReader,
  path: string,
  options: Parameters<ClusterReader['list']>[1] & {
    readonly clock?: Clock | undefined;
    /** A number between 0 and 1 that varies the pauses (default: `Math.random`). */
    readonly random?: (() => number) | undefined;
  } = {},
): AsyncGenerator<
  { readonly ok: true; readonly items: readonly KubeObject[] } | { readonly ok: false; readonly error: ClusterError }
> {
  checkMethods('cluster', cluster, ['list', 'watch']);
  checkArgument('path', path, 'text');
  checkArgument('options', options, 'object');
  const { clock = systemClock, random = Math.random, ...selectors } = options;
  const { signal } = selectors;
  let failures = 0;
  let told = '';
  let version: string | undefined;
  const objects = new Map<string, KubeObject>();
  while (true) {
    signal?.throwIfAborted();
    try {
      if (version === undefined) {
        const list = await cluster.list(path, selectors);
        objects.clear();
        for (const item of list.items) objects.set(keyOf(item), item);
        version = list.resourceVersion;
        failures = 0;
        told = '';
        yield { ok: true, items: [...objects.values()] };
      }
      for await (const { type, object } of cluster.watch(path, { ...selectors, resourceVersion: version })) {
        if (type === 'ERROR') throw statusError(object);
        version = textOf(object, 'metadata', 'resourceVersion') || version;
        failures = 0;
        if (type === 'BOOKMARK') continue;
        if (type === 'DELETED') objects.delete(keyOf(object));
        else objects.set(keyOf(object), object);
        if (objects.size > MAX_OBJECTS) {
          version = undefined;
          throw new ClusterError('CLUSTER_TOO_LARGE', `${path}: the watch reported more than ${MAX_OBJECTS} objects`);
        }
        told = '';
        yield { ok: true, items: [...objects.values()] };
      }
      // A watch that the server closed properly is resumed at once, but never in a tight loop.
      await clock.sleep(SHORTEST_PAUSE * random(), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ClusterError)) throw error;
      if (error.code === 'CLUSTER_EXPIRED') version = undefined;
      else if (error.message !== told) {
        told = error.message;
        yield { ok: false, error };
      }
      failures++;
      const pause = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** Math.min(failures - 1, 10));
      await clock.sleep(pause * (0.5 + random() / 2), signal);
    }
  }
}

function keyOf(object: KubeObject): string {
  const uid = memberOf(object, 'metadata', 'uid');
  return typeof uid === 'string'
    ? uid
    : `${textOf(object, 'metadata', 'namespace')}/${textOf(object, 'metadata', 'name')}`;
}
