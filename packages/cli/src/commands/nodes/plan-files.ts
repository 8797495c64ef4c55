// The files of a plan for a server: each is computed on request, with the same bytes everywhere.
import type { LiveImage } from '@coreiso/iso';
import type { ServedFile } from '@coreiso/iso/http';
import { type ImageSet, type ImageSetOptions, type NodesPlan, openImages, servedFiles } from '@coreiso/openshift';

export interface PlanFilesOptions {
  readonly perHost: boolean;
  readonly grow: boolean;
  /** Returns the address of the directory with the files of an owner; called when one of these files is requested. */
  readonly folderOf: (owner: string) => string;
  readonly signal: AbortSignal;
}

export interface PlanFiles {
  readonly files: readonly ServedFile[];
  /** Errors about files that cannot be made from this base. */
  readonly notes: readonly string[];
}

/** Returns images under short names, minimal images and the files for network boot. */
export async function planFiles(live: LiveImage, plan: NodesPlan, options: PlanFilesOptions): Promise<PlanFiles> {
  const { folderOf, signal, ...rest } = options;
  const open = (form: NonNullable<ImageSetOptions['form']>): Promise<ImageSet> =>
    openImages(live, plan, { ...rest, form, bootArtifactsBaseURL: folderOf, signal });
  const images = await open('iso');
  // Report every error in an image before the first machine requests one.
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
  // Minimal images fetch the root file system of the files for network boot.
  await offer('minimal images', async () =>
    withShortNames(await servedFiles(await open('minimal-iso')), '-minimal.iso'),
  );
  await offer('files for network boot', async () => servedFiles(await open('pxe')));
  return { files, notes };
}

/** Keeps the images of single hosts, and names each after its host. */
function withShortNames(files: readonly ServedFile[], suffix: string): ServedFile[] {
  return files.flatMap((file) => (file.owner === undefined ? [] : [{ ...file, name: `${file.owner}${suffix}` }]));
}
