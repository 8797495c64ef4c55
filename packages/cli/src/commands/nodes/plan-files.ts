// The files of a plan as a file server offers them: each is computed when it is asked for, and the same wherever that happens.
import { type ByteSource, type LiveImage, pxeFiles } from '@coreiso/iso';
import type { ServedFile } from '@coreiso/iso/http';
import type { HostPlan, HostPlans } from '@coreiso/nodes-config';
import { buildNodesImage, type NodesImageOptions } from '@coreiso/openshift';

export interface PlanFilesOptions {
  /** One image per host, or one for all. */
  readonly images: 'per-host' | 'all-hosts';
  readonly grow: boolean;
  /** The address of the folder with the files of an owner; asked for when one of them is. */
  readonly folderOf: (owner: string) => string;
  readonly signal: AbortSignal;
}

export interface PlanFiles {
  readonly files: readonly ServedFile[];
  /** What cannot be had of this base, and why. */
  readonly notes: readonly string[];
}

type Form = NonNullable<NodesImageOptions['form']>;
type Outputs = ReadonlyMap<string, ByteSource>;

/** What all hosts together are called. */
const EVERYBODY = 'node';
/** Builds that are kept: a few kilobytes of patches each. */
const KEPT = 4096;

/** Images under short names, and beside them minimal images and what machines boot over the network. */
export async function planFiles(live: LiveImage, plan: HostPlans, options: PlanFilesOptions): Promise<PlanFiles> {
  const { images, grow, folderOf, signal } = options;
  const plans =
    images === 'per-host'
      ? new Map(plan.hosts.map((host) => [ownerOf(host), { ...plan, hosts: [host] }]))
      : new Map([[EVERYBODY, plan]]);
  const builds = new Builds(async (owner, form) => {
    const { outputs } = await buildNodesImage(live, plans.get(owner) ?? plan, {
      form,
      grow,
      perHost: images === 'per-host',
      bootArtifactsBaseURL: folderOf(owner),
      signal,
    });
    return new Map(outputs.map(({ name, source }) => [name, source]));
  });
  const image = (owner: string, name: string, form: Form): ServedFile => ({
    name,
    owner,
    open: async () => only(await builds.get(owner, form), (output) => output.endsWith('.iso')),
  });
  // Whatever is wrong with any of the images is told before the first machine asks for it.
  for (const owner of plans.keys()) await builds.get(owner, 'iso');
  const owners = [...plans.keys()];
  const files = owners.map((owner) => image(owner, `${owner}.iso`, 'iso'));
  const notes: string[] = [];
  const [first = EVERYBODY] = owners;
  const offer = async (
    what: string,
    form: Form,
    add: (outputs: Outputs) => Promise<ServedFile[]> | ServedFile[],
  ): Promise<void> => {
    try {
      files.push(...(await add(await builds.get(first, form))));
    } catch (error) {
      signal.throwIfAborted();
      notes.push(`no ${what} of this base: ${error instanceof Error ? error.message : error}`);
    }
  };
  await offer('minimal images', 'minimal-iso', () =>
    owners.map((owner) => image(owner, `${owner}-minimal.iso`, 'minimal-iso')),
  );
  await offer('files for network boot', 'pxe', (outputs) => networkFiles(live, outputs, owners, builds));
  builds.clear();
  return { files, notes };
}

/** What machines boot over the network, under the names that the iPXE scripts have for it. */
async function networkFiles(
  live: LiveImage,
  outputs: Outputs,
  owners: readonly string[],
  builds: Builds,
): Promise<ServedFile[]> {
  const [first = ''] = owners;
  const shared = (await pxeFiles(live.source)).map(({ name }) => name).filter((name) => name !== 'initrd.img');
  const isShared = (output: string): boolean =>
    shared.some((name) => output.startsWith(`${EVERYBODY}.`) && output.endsWith(`-${name}`));
  const names = [...outputs.keys()];
  const open =
    (owner: string, name: string): ServedFile['open'] =>
    async () =>
      only(await builds.get(owner, 'pxe'), (output) => output === name);
  return [
    ...owners.flatMap((owner) =>
      names
        .filter((name) => !isShared(name))
        .map((name) => `${owner}${name.slice(first.length)}`)
        .map((name) => ({
          name,
          owner,
          ...(name.endsWith('.ipxe') ? { type: 'text/plain' } : {}),
          open: open(owner, name),
        })),
    ),
    ...names.filter(isShared).map((name) => ({ name, open: open(first, name) })),
  ];
}

function ownerOf({ name }: HostPlan): string {
  if (/^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(name)) return name;
  throw new Error(`${name} cannot be part of an address: a host name has letters, digits, dots and hyphens`);
}

function only(outputs: Outputs, isWanted: (name: string) => boolean): ByteSource {
  for (const [name, source] of outputs) if (isWanted(name)) return source;
  throw new Error('the build lacks a file that an earlier one had');
}

/** Builds by owner and form; those that were asked for lately are kept. */
class Builds {
  readonly #build: (owner: string, form: Form) => Promise<Outputs>;
  readonly #kept = new Map<string, Promise<Outputs>>();

  constructor(build: (owner: string, form: Form) => Promise<Outputs>) {
    this.#build = build;
  }

  get(owner: string, form: Form): Promise<Outputs> {
    const key = `${form} ${owner}`;
    const built = this.#kept.get(key) ?? this.#build(owner, form);
    built.catch(() => this.#kept.delete(key));
    this.#kept.delete(key);
    this.#kept.set(key, built);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > KEPT) this.#kept.delete(oldest);
    return built;
  }

  clear(): void {
    this.#kept.clear();
  }
}
