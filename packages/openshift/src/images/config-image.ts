// The settings of one site on a small image of their own, for machines that booted without them.

import { type Config, decodeDataUrl } from '@coreiso/ignition';
import { type ArchiveFile, type ByteSource, writeArchive } from '@coreiso/iso';
import { writeIso } from '@coreiso/iso/iso9660';
import { isOfConfigImage } from '../join/service/config-image-files.ts';

/** Machines look for a medium of this name. */
const LABEL = 'agent_configimage';

/** What of a site's config machines take from a config image: equal configs give equal bytes. */
export async function configImage(config: Config): Promise<ByteSource> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeArchive(archiveFiles(config))) chunks.push(chunk);
  const archive = new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  // The name of a Joliet volume has 16 characters, one too few, and readers prefer it.
  const { source } = await writeIso([{ kind: 'file', path: '/config.gz', content: archive, mode: 0o600 }], {
    volumeId: LABEL,
    joliet: false,
  });
  return source;
}

/** Paths from the root, slash included: the installer's machines look for them so. */
function archiveFiles({ storage }: Config): ArchiveFile[] {
  return (storage?.files ?? []).flatMap(({ path, mode, contents }) => {
    const content = decodeDataUrl(contents?.source ?? '');
    if (!isOfConfigImage(path) || content === undefined) return [];
    return [{ path, content, mode: Number(mode ?? 0o600) }];
  });
}
