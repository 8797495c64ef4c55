import { goYaml, parseYaml, toPlain } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { textOf } from '@coreiso/peers/members';
import type { ReleaseImage } from '../manifests/release.ts';
import type { Texts } from './cluster-directory.ts';

/** The version in the tag of a release image: `…:4.20.3-x86_64`. */
const TAG = /:v?(\d+\.\d+\.\d+(?:-(?:ec|rc|fc)\.\d+)?)(?:-(?:x86_64|aarch64|ppc64le|s390x|multi))?$/;
/** The version in the name of a ClusterImageSet: `openshift-4.20.3`. */
const VERSION = /\d+\.\d+\.\d+(?:-(?:ec|rc|fc)\.\d+)?/;

const IMAGE_SET = 'cluster-manifests/cluster-image-set.yaml';

/**
 * The release that a directory is for: the given image, else that of its ClusterImageSet; undefined if image or version are
 * missing.
 *
 * @example namedRelease({ 'cluster-manifests/cluster-image-set.yaml': text })?.version // '4.20.3'
 */
export function namedRelease(
  files: Texts,
  given: { readonly image?: string | undefined; readonly version?: string | undefined } = {},
): ReleaseImage | undefined {
  checkArgument('files', files, 'object');
  checkArgument('given', given, 'object');
  const set = given.image === undefined ? imageSetIn(files) : undefined;
  const image = given.image ?? set?.image;
  const version = given.version ?? TAG.exec(image ?? '')?.[1] ?? VERSION.exec(set?.name ?? '')?.[0];
  return image && version ? { image, version } : undefined;
}

/**
 * The name and image in the ClusterImageSet, if it can be read. Its errors are reported where all manifests are read.
 */
function imageSetIn(files: Texts): { readonly name: string; readonly image: string } | undefined {
  const [document] = parseYaml(files[IMAGE_SET] ?? '', { flavour: 'go' });
  const root = document?.ok ? document.value.root : undefined;
  const set = root === undefined ? undefined : toPlain(root, goYaml);
  const [name, image] = [textOf(set, 'metadata', 'name'), textOf(set, 'spec', 'releaseImage')];
  return image === '' ? undefined : { name, image };
}
