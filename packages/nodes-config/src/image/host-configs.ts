// The configs of hosts that each have an image of their own. They differ in a few small files: what they have in common is made,
// checked and written once, and composed with what is the host's.
import { buildConfig, type File, stringifyConfig } from '@coreiso/ignition';
import { type Composition, compose } from '@coreiso/iso';
import type { PlannedFile } from '../hosts/file-tree.ts';
import type { HostPlan, HostPlans } from '../hosts/plan.ts';
import { hostTable } from '../join/host-table.ts';
import { liveConfig } from '../join/live-config.ts';
import { rootFile } from '../join/live-files.ts';

const HOST_TABLE = '/etc/coreiso/hosts';
/** Stands where the files go; in JSON no text of the config can look like it. */
const PLACE: File = { path: '/the files of the config' };

const encoder = new TextEncoder();

/** A file that all configs have, and where its text stands in that of all of them. */
interface CommonFile {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Writes the config of one host after the other. */
export class HostConfigs {
  readonly #filesByPath: readonly PlannedFile[];
  readonly #before: Uint8Array;
  readonly #after: Uint8Array;
  readonly #common: readonly CommonFile[];
  readonly #text: Uint8Array;

  constructor(plan: HostPlans) {
    if (plan.join === 'service') throw new TypeError('perHost must be false where machines join through the service');
    this.#filesByPath = plan.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const config = liveConfig({ ...plan, hosts: [], files: [] }, { profiles: 'in-place' });
    const files = (config.storage?.files ?? []).filter(({ path }) => path !== HOST_TABLE);
    const around = stringifyConfig({ ...config, storage: { ...config.storage, files: [PLACE] } });
    const place = JSON.stringify(PLACE);
    const at = around.indexOf(place);
    this.#before = encoder.encode(around.slice(0, at));
    this.#after = encoder.encode(around.slice(at + place.length));
    const common: CommonFile[] = [];
    const texts: Uint8Array[] = [];
    let start = 0;
    for (const file of files) {
      const bytes = encoder.encode(`${texts.length === 0 ? '' : ','}${textOf(file)}`);
      // Without the comma before it: a run that begins here has one of its own.
      common.push({ path: file.path, start: start + (texts.length === 0 ? 0 : 1), end: start + bytes.length });
      texts.push(bytes);
      start += bytes.length;
    }
    this.#common = common;
    this.#text = concatenated(texts, start);
  }

  /** What `liveConfig` gives for a plan of this host alone, as text. */
  of(host: HostPlan): Composition {
    const own = this.#filesOf(host);
    const parts: Uint8Array[] = [this.#before];
    const add = (bytes: Uint8Array): unknown => parts.push(...(parts.length > 1 ? [COMMA, bytes] : [bytes]));
    let next = 0;
    for (const file of own) {
      const end = this.#firstAfter(file.path);
      if (end > next) add(this.#run(next, end));
      next = end;
      add(encoder.encode(textOf(file)));
    }
    if (next < this.#common.length) add(this.#run(next, this.#common.length));
    return compose([...parts, this.#after]);
  }

  /** The files of a host, in the order of their paths, in Ignition's form. */
  #filesOf(host: HostPlan): readonly File[] {
    const files = [
      ...this.#planned(host).map(({ path, contents, mode }) => rootFile(path, contents, mode)),
      rootFile(HOST_TABLE, hostTable([host]), 0o600),
    ];
    return buildConfig({ files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) }).storage?.files ?? [];
  }

  #planned({ name, interfaces }: HostPlan): readonly PlannedFile[] {
    const hostname = `/etc/assisted/hostnames/${interfaces[0]?.macAddress.toLowerCase()}`;
    const folder = `/etc/assisted/hostconfig/${name}/`;
    return [
      ...this.#from(folder, (path) => path.startsWith(folder)),
      ...this.#from(hostname, (path) => path === hostname),
    ];
  }

  /** The planned files from `path` on, as long as they are wanted. */
  #from(path: string, isWanted: (path: string) => boolean): PlannedFile[] {
    const files = this.#filesByPath;
    const found: PlannedFile[] = [];
    for (let index = firstIndex(files, (file) => file.path >= path); index < files.length; index++) {
      const file = files[index];
      if (file === undefined || !isWanted(file.path)) break;
      found.push(file);
    }
    return found;
  }

  #firstAfter(path: string): number {
    return firstIndex(this.#common, (file) => file.path > path);
  }

  #run(first: number, end: number): Uint8Array {
    return this.#text.subarray(this.#common[first]?.start, this.#common[end - 1]?.end);
  }
}

const COMMA = encoder.encode(',');

/** As `stringifyConfig` writes a file: integers of a file are small. */
function textOf(file: File): string {
  return JSON.stringify(file);
}

function concatenated(texts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const text of texts) {
    whole.set(text, at);
    at += text.length;
  }
  return whole;
}

/** Where in a sorted list the items begin that are far enough. */
function firstIndex<T>(items: readonly T[], isFar: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isFar(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
