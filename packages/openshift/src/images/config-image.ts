// The settings of one site on a small image, for machines that booted without them.

import { type Config, decodeDataUrl } from '@coreiso/ignition';
import { type ArchiveFile, type ByteSource, writeArchive } from '@coreiso/iso';
import { writeIso } from '@coreiso/iso/iso9660';
import { isOfConfigImage } from '../join/service/config-image-files.ts';

/** Machines look for a medium with this name. */
const LABEL = 'agent_configimage';

/** The files of a site's config that machines take from a config image: equal configs give equal bytes. */
export async function configImage(config: Config): Promise<ByteSource> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeArchive(archiveFiles(config))) chunks.push(chunk);
  const archive = new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  // A Joliet volume name has at most 16 characters, one too few for this label, and readers would prefer the Joliet name.
  const { source } = await writeIso([{ kind: 'file', path: '/config.gz', content: archive, mode: 0o600 }], {
    volumeId: LABEL,
    joliet: false,
  });
  return source;
}

/** Absolute paths with the leading slash: the installer's machines look for them in this form. */
function archiveFiles({ storage }: Config): ArchiveFile[] {
  return (storage?.files ?? []).flatMap(({ path, mode, contents }) => {
    const content = decodeDataUrl(contents?.source ?? '');
    if (!isOfConfigImage(path) || content === undefined) return [];
    return [{ path, content, mode: Number(mode ?? 0o600) }];
  });
}
