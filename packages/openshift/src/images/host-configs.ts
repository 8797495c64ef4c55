// The configs of hosts that each have an image of their own. They differ in a few small files: the common part is made, checked and
// serialized once, then each host's part is inserted.

import { buildConfig, type File, stringifyConfig, validateConfig } from '@coreiso/ignition';
import { type Composition, compose } from '@coreiso/iso';
import type { HostPlan, PlannedFile } from '@coreiso/nodes-config';
import { requireSafeNames } from '@coreiso/nodes-config';
import { compareBytes } from '@coreiso/peers/go';
import { hostTable } from '../join/host-table.ts';
import { liveConfig } from '../join/live-config.ts';
import { rootFile } from '../join/live-files.ts';
import { strategyOf } from '../join/strategies.ts';
import type { NodesPlan } from '../join/strategy.ts';

const HOST_TABLE = '/etc/coreiso/hosts';
/** Marks the place of the files; JSON text of a config never contains it. */
const PLACE: File = { path: '/the files of the config' };

const encoder = new TextEncoder();

/** A file that all configs have, and the position of its text in the common config. */
interface CommonFile {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Writes the config of each host in turn. */
export class HostConfigs {
  readonly #version: string;
  readonly #filesByPath: readonly PlannedFile[];
  readonly #before: Uint8Array;
  readonly #after: Uint8Array;
  readonly #common: readonly CommonFile[];
  readonly #text: Uint8Array;

  constructor(plan: NodesPlan) {
    if (strategyOf(plan.join).whole !== undefined)
      throw new TypeError(`perHost must be false for join ${plan.join}: its live system is made for all hosts`);
    requireSafeNames(plan);
    this.#filesByPath = plan.files.toSorted((a, b) => compareBytes(a.path, b.path));
    const config = liveConfig({ ...plan, hosts: [], files: [] }, { profiles: 'in-place' });
    this.#version = config.ignition.version;
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
      // The range excludes the comma in front: a run that starts with this file adds its own.
      common.push({ path: file.path, start: start + (texts.length === 0 ? 0 : 1), end: start + bytes.length });
      texts.push(bytes);
      start += bytes.length;
    }
    this.#common = common;
    this.#text = concatenated(texts, start);
  }

  /** The same text as `liveConfig` of a plan with only this host. */
  of(host: HostPlan): Composition {
    const parts: Uint8Array[] = [this.#before];
    let [next, text, separator] = [0, '', ''];
    const addRun = (end: number): void => {
      if (end === next) return;
      parts.push(encoder.encode(`${text}${separator}`), this.#run(next, end));
      [next, text, separator] = [end, '', ','];
    };
    for (const file of this.#filesOf(host)) {
      addRun(this.#firstAfter(file.path));
      text += `${separator}${textOf(file)}`;
      separator = ',';
    }
    addRun(this.#common.length);
    return compose([...parts, encoder.encode(text), this.#after]);
  }

  /** The files of a host, in the order of their paths, in Ignition's form. */
  #filesOf(host: HostPlan): readonly File[] {
    const files = [
      ...this.#planned(host).map(({ path, contents, mode }) => rootFile(path, contents, mode)),
      rootFile(HOST_TABLE, hostTable([host]), 0o600),
    ].sort((a, b) => compareBytes(a.path, b.path));
    // Validation suffices, because the version is known: building a config searches for the lowest one and takes five times as long.
    // A config with errors is built only for its message.
    const { ok } = validateConfig({ ignition: { version: this.#version }, storage: { files } });
    return ok ? files : (buildConfig({ files }).storage?.files ?? []);
  }

  #planned({ name, interfaces }: HostPlan): readonly PlannedFile[] {
    const hostname = `/etc/assisted/hostnames/${interfaces[0]?.macAddress.toLowerCase()}`;
    const folder = `/etc/assisted/hostconfig/${name}/`;
    return [
      ...this.#from(folder, (path) => path.startsWith(folder)),
      ...this.#from(hostname, (path) => path === hostname),
    ];
  }

  /** The planned files from `path` on, as long as `isWanted` accepts them. */
  #from(path: string, isWanted: (path: string) => boolean): PlannedFile[] {
    const files = this.#filesByPath;
    const found: PlannedFile[] = [];
    for (let index = firstIndex(files, (file) => compareBytes(file.path, path) >= 0); index < files.length; index++) {
      const file = files[index];
      if (file === undefined || !isWanted(file.path)) break;
      found.push(file);
    }
    return found;
  }

  #firstAfter(path: string): number {
    return firstIndex(this.#common, (file) => compareBytes(file.path, path) > 0);
  }

  #run(first: number, end: number): Uint8Array {
    return this.#text.subarray(this.#common[first]?.start, this.#common[end - 1]?.end);
  }
}

/** Writes a file as `stringifyConfig` does, which differs from JSON only for large integers; files have none. */
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

/** Index of the first item of a sorted list that satisfies `isFar`. */
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
