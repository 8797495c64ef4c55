// Statistics of a file server: the runs of reads by each client, and how far each file was read.

/** Consecutive requests of one client for a file: a BMC reads an image in thousands of small requests. */
export interface Transfer {
  readonly file: string;
  readonly client: string;
  readonly method: string;
  readonly status: number;
  /** The size of the file; 0 if the answer has none of its bytes. */
  readonly size: number;
  /** The sent bytes, from `start` up to `end`. */
  readonly start: number;
  readonly end: number;
  /** `left` if the client closed the connection early, `broken` if the rest could not be read. */
  readonly outcome: 'complete' | 'left' | 'broken';
  /** Time in milliseconds. */
  readonly at: number;
  readonly requests: number;
  /** Time of the first answer. */
  readonly since: number;
  /** Share of the file that this client has read so far, from 0 to 1. */
  readonly share: number;
}

/** Bytes of a file that went to a client, or an answer without any. */
export type ServedResponse = Omit<Transfer, 'requests' | 'since' | 'share'>;

/** How far a file was read by the client that read most of it. */
export interface FileReading {
  readonly name: string;
  readonly share: number;
  /** Time of the last bytes in milliseconds; `undefined` if no client has read the file. */
  readonly last: number | undefined;
  readonly sent: number;
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Number of stretches of a file to keep per client; the list is cut to this when it has twice as many. */
const MOST_STRETCHES = 1024;
/** Clients that are remembered per file. */
const MOST_CLIENTS = 256;

interface FileRecord {
  size: number;
  sent: number;
  last: number | undefined;
  readonly statuses: Map<number, number>;
  /** Ordered by the time of the last read. */
  readonly clients: Map<string, Reader>;
}

interface Reader {
  readonly coverage: Coverage;
  run: Transfer | undefined;
}

/** Counts reads, and reports each run when it has ended. */
export class Readings {
  readonly #files = new Map<string, FileRecord>();
  readonly #tell: (transfer: Transfer) => void;

  constructor(report: (transfer: Transfer) => void) {
    this.#tell = report;
  }

  add(response: ServedResponse): void {
    const { file, client, status, size, start, end, at } = response;
    const record = this.#files.get(file) ?? newRecord();
    this.#files.set(file, record);
    record.statuses.set(status, (record.statuses.get(status) ?? 0) + 1);
    record.sent += end - start;
    if (size > 0) record.size = size;
    if (end > start) record.last = at;
    const reader = this.#readerOf(record, client);
    reader.coverage.add(start, end);
    const share = size === 0 ? 0 : reader.coverage.bytes / size;
    const { run } = reader;
    if (run !== undefined && continues(run, response)) {
      reader.run = { ...response, start: run.start, since: run.since, requests: run.requests + 1, share };
    } else {
      this.#end(reader);
      reader.run = { ...response, since: at, requests: 1, share };
    }
    if (!mayContinue(response)) this.#end(reader);
  }

  /** Reports the runs that have not continued since `before`. */
  flush(before: number = Number.POSITIVE_INFINITY): void {
    for (const { clients } of this.#files.values()) {
      for (const reader of clients.values()) {
        if (reader.run !== undefined && reader.run.at < before) this.#end(reader);
      }
    }
  }

  of(name: string): FileReading {
    const { size, sent, last, statuses, clients } = this.#files.get(name) ?? newRecord();
    const most = Math.max(0, ...[...clients.values()].map(({ coverage }) => coverage.bytes));
    return { name, share: size === 0 ? 0 : most / size, last, sent, statuses };
  }

  #readerOf({ clients }: FileRecord, client: string): Reader {
    const reader = clients.get(client) ?? { coverage: new Coverage(), run: undefined };
    clients.delete(client);
    clients.set(client, reader);
    if (clients.size > MOST_CLIENTS) this.#forgetOldest(clients);
    return reader;
  }

  #forgetOldest(clients: Map<string, Reader>): void {
    const [oldest] = clients;
    if (oldest === undefined) return;
    this.#end(oldest[1]);
    clients.delete(oldest[0]);
  }

  #end(reader: Reader): void {
    if (reader.run !== undefined) this.#tell(reader.run);
    reader.run = undefined;
  }
}

function newRecord(): FileRecord {
  return { size: 0, sent: 0, last: undefined, statuses: new Map(), clients: new Map() };
}

function continues(run: Transfer, { status, start, end, size }: ServedResponse): boolean {
  return status === run.status && size === run.size && start === run.end && end > start;
}

function mayContinue({ status, outcome, end, size }: ServedResponse): boolean {
  return status === 206 && outcome === 'complete' && end < size;
}

/** The stretches of a file that were read at least once. */
class Coverage {
  bytes = 0;
  /** Sorted, never adjacent. */
  #stretches: { start: number; end: number }[] = [];

  add(start: number, end: number): void {
    if (start >= end) return;
    const stretches = this.#stretches;
    const first = lowerBound(stretches, start);
    const joined = { start, end };
    let count = 0;
    for (let next = stretches[first]; next !== undefined && next.start <= end; next = stretches[first + ++count]) {
      joined.start = Math.min(joined.start, next.start);
      joined.end = Math.max(joined.end, next.end);
      this.bytes -= next.end - next.start;
    }
    stretches.splice(first, count, joined);
    this.bytes += joined.end - joined.start;
    if (stretches.length > 2 * MOST_STRETCHES) this.#closeSmallGaps();
  }

  /** Keeps only the largest gaps, which counts a little more than was read. */
  #closeSmallGaps(): void {
    const [first, ...others] = this.#stretches;
    if (first === undefined) return;
    const gaps = others.map(({ start }, index) => start - (this.#stretches[index]?.end ?? 0)).sort((a, b) => b - a);
    const smallestLeft = gaps[MOST_STRETCHES - 2] ?? 0;
    let ties = gaps.slice(0, MOST_STRETCHES - 1).filter((gap) => gap === smallestLeft).length;
    let last = first;
    this.#stretches = [last];
    for (const next of others) {
      const gap = next.start - last.end;
      if (gap > smallestLeft || (gap === smallestLeft && ties-- > 0)) {
        this.#stretches.push(next);
        last = next;
      } else {
        this.bytes += gap;
        last.end = next.end;
      }
    }
  }
}

/** The first stretch that ends at or after `position`. */
function lowerBound(stretches: readonly { readonly end: number }[], position: number): number {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stretches[middle]?.end ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
