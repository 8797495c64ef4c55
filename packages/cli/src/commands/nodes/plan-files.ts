// The files of a plan as a server offers them: each is computed when it is asked for, and the same wherever that happens.
import type { LiveImage } from '@coreiso/iso';
import type { ServedFile } from '@coreiso/iso/http';
import { type ImageSet, type ImageSetOptions, type NodesPlan, openImages, servedFiles } from '@coreiso/openshift';

export interface PlanFilesOptions {
  readonly perHost: boolean;
  readonly grow: boolean;
  /** The address of the folder with the files of an owner; asked for when one of them is. */
  readonly folderOf: (owner: string) => string;
  readonly signal: AbortSignal;
}

export interface PlanFiles {
  readonly files: readonly ServedFile[];
  /** The error for files that cannot be made from this base. */
  readonly notes: readonly string[];
}

/** Images under short names, and beside them minimal images and what machines boot over the network. */
export async function planFiles(live: LiveImage, plan: NodesPlan, options: PlanFilesOptions): Promise<PlanFiles> {
  const { folderOf, signal, ...rest } = options;
  const open = (form: NonNullable<ImageSetOptions['form']>): Promise<ImageSet> =>
    openImages(live, plan, { ...rest, form, bootArtifactsBaseURL: folderOf, signal });
  const images = await open('iso');
  // Whatever is wrong with any of the images is told before the first machine asks for it.
  for (const position of images.names.keys()) await images.build(position);
  const files = withShortNames(await servedFiles(images), '.iso');
  const notes: string[] = [];
  const offer = async (what: string, add: () => Promise<ServedFile[]>): Promise<void> => {
    try {
      files.push(...(await add()));
    } catch (error) {
      signal.throwIfAborted();
      notes.push(`cannot make ${what} from this base: ${error instanceof Error ? error.message : error}`);
    }
  };
  // The root file system that minimal images fetch is that of the files for network boot.
  await offer('minimal images', async () =>
    withShortNames(await servedFiles(await open('minimal-iso')), '-minimal.iso'),
  );
  await offer('files for network boot', async () => servedFiles(await open('pxe')));
  return { files, notes };
}

/** The images of hosts alone, each under the name of its host. */
function withShortNames(files: readonly ServedFile[], suffix: string): ServedFile[] {
  return files.flatMap((file) => (file.owner === undefined ? [] : [{ ...file, name: `${file.owner}${suffix}` }]));
}
