// An API server with nodes: lists, watches that end after their time, and versions that it forgets.
import type { Machine, SimulatedProcess } from './machine.ts';
import type { Answer, Server } from './network.ts';

interface Node {
  readonly metadata: { readonly uid: string; readonly name: string; readonly resourceVersion: string };
  readonly status: { readonly addresses: readonly object[]; readonly conditions: readonly object[] };
}

interface Event {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Node;
}

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const failure = (code: number, reason: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
  message: reason,
});

export class ApiServer {
  readonly #machine: Machine;
  readonly #process: SimulatedProcess;
  readonly #nodes = new Map<string, Node>();
  readonly #events: Event[] = [];
  /** The server forgets everything before this version. */
  #oldest = 0;
  version = 1;
  #waiting: (() => void)[] = [];
  /** Every past state, by version: names and versions of all nodes. */
  readonly states = new Map<string, number[]>();

  constructor(machine: Machine, process: SimulatedProcess) {
    this.#machine = machine;
    this.#process = process;
    this.#remember();
  }

  static stateOf(nodes: readonly object[]): string {
    return (nodes as readonly Node[])
      .map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`)
      .sort()
      .join(' ');
  }

  put(name: string, ready: 'True' | 'False'): void {
    const uid = `uid-${name}`;
    const type = this.#nodes.has(uid) ? 'MODIFIED' : 'ADDED';
    const metadata = { uid, name, resourceVersion: String(++this.version) };
    const address = `192.0.2.${Number(name.replace(/\D/g, '')) + 10}`;
    const conditions = [{ type: 'Ready', status: ready, message: '' }];
    const object = { metadata, status: { addresses: [{ type: 'InternalIP', address }], conditions } };
    this.#nodes.set(uid, object);
    this.#tell({ version: this.version, type, object });
  }

  remove(name: string): void {
    const object = this.#nodes.get(`uid-${name}`);
    if (object === undefined) return;
    this.#nodes.delete(`uid-${name}`);
    const metadata = { ...object.metadata, resourceVersion: String(++this.version) };
    this.#tell({ version: this.version, type: 'DELETED', object: { ...object, metadata } });
  }

  /** Forgets versions, as etcd's compaction does every five minutes. */
  compact(): void {
    this.#oldest = this.version;
  }

  #tell(event: Event): void {
    this.#events.push(event);
    this.#remember();
    this.#wake();
  }

  #remember(): void {
    const state = ApiServer.stateOf([...this.#nodes.values()]);
    this.states.set(state, [...(this.states.get(state) ?? []), this.version]);
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  readonly answer: Server = ({ url }) => {
    const { pathname, searchParams } = url;
    if (pathname.endsWith('/certificatesigningrequests'))
      return json(200, { kind: 'List', metadata: { resourceVersion: '1' }, items: [] });
    if (pathname !== '/api/v1/nodes') return json(404, failure(404, 'NotFound'));
    if (searchParams.get('watch') !== 'true') {
      const metadata = { resourceVersion: String(this.version) };
      return json(200, { kind: 'NodeList', apiVersion: 'v1', metadata, items: [...this.#nodes.values()] });
    }
    const from = Number(searchParams.get('resourceVersion'));
    if (from < this.#oldest) return json(410, failure(410, 'Expired'));
    return this.#watch(from, Number(searchParams.get('timeoutSeconds')) * 1000);
  };

  async *#watch(from: number, milliseconds: number): AsyncGenerator<string> {
    const end = this.#machine.elapsed + milliseconds;
    let at = from;
    while (this.#machine.elapsed < end) {
      if (at < this.#oldest) {
        yield `${JSON.stringify({ type: 'ERROR', object: failure(410, 'Expired') })}\n`;
        return;
      }
      const next = this.#events.find(({ version }) => version > at);
      if (next !== undefined) {
        at = next.version;
        yield `${JSON.stringify({ type: next.type, object: next.object })}\n`;
        continue;
      }
      const wait = new Promise<void>((wake) => {
        this.#waiting.push(wake);
        this.#machine.setTimer(this.#process, Math.min(60_000, end - this.#machine.elapsed) + 1, wake);
      });
      await wait;
      // A bookmark means that all earlier events were sent.
      if (this.#events.every(({ version }) => version <= at))
        yield `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(at) } } })}\n`;
    }
  }
}
