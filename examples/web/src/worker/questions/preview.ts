// The future image, and the Ignition config in it, computed without writing.
import { type Config, parseConfig, stringifyConfig } from '@coreiso/ignition';
import { type ByteSource, edit, inspect, isOverlay, type LiveImage, openLiveImage } from '@coreiso/iso';
import type { ServiceCredentials } from '@coreiso/nodes-config';
import { agentConfigOf, liveConfig, openImages } from '@coreiso/openshift';
import type { EditedImage } from '../../views/image-map.ts';
import type { InitramfsFile } from '../../views/initramfs.ts';
import type { PlannerState } from '../state.ts';

type Signal = AbortSignal | undefined;

/** Undefined if there is no base, or nothing to embed. */
async function previewSource(
  { base, project, planned }: PlannerState,
  position: number,
  signal: Signal,
): Promise<ByteSource | undefined> {
  if (base === undefined || planned === undefined || project === undefined) return undefined;
  const { nodes, site, customization } = planned;
  const image = base.image;
  if (nodes !== undefined) {
    const perHost = project.choices.images === 'per-host';
    const images = await openImages(image, nodes, { form: 'iso', grow: true, perHost, signal });
    const built = await images.build(perHost ? Math.min(position, images.names.length - 1) : 0);
    return built.outputs[0]?.source;
  }
  if (site !== undefined) {
    const ignition = stringifyConfig(agentConfigOf(site, UNMADE));
    return (await edit(image, { ignition, keyfiles: [], files: [] }, { grow: true, signal })).overlay;
  }
  if (customization === undefined || !planned.facts.isReady) return undefined;
  return (await edit(image, customization.changes, { grow: true, signal })).overlay;
}

/** Views of one state share an image. */
let last:
  | (Pick<PlannerState, 'base' | 'planned'> & {
      readonly position: number;
      readonly source: ReturnType<typeof previewSource>;
    })
  | undefined;

function preview(state: PlannerState, position: number, signal: Signal): ReturnType<typeof previewSource> {
  const { base, planned } = state;
  if (last?.base === base && last?.planned === planned && last?.position === position) return last.source;
  const source = previewSource(state, position, signal);
  last = { base, planned, position, source };
  source.catch(() => {
    last = undefined;
  });
  return source;
}

export async function editedImage(
  state: PlannerState,
  position: number,
  signal: Signal,
): Promise<EditedImage | undefined> {
  const source = await preview(state, position, signal);
  if (source === undefined) return undefined;
  const patches = isOverlay(source) ? source.patches : [];
  return {
    inspection: await inspect(source, { signal }),
    patches: patches.map(({ offset, bytes }) => ({ offset, length: 'size' in bytes ? bytes.size : bytes.length })),
  };
}

/** The added files in the initramfs, now and afterwards. */
export async function initramfsFiles(
  state: PlannerState,
  position: number,
  signal: Signal,
): Promise<{ before: InitramfsFile[]; after: InitramfsFile[] }> {
  const source = await preview(state, position, signal);
  const before = state.base === undefined ? [] : await filesOf(state.base.image, signal);
  return {
    before,
    after: source === undefined ? before : await filesOf(await openLiveImage(source, { signal }), signal),
  };
}

async function filesOf({ initrd }: LiveImage, signal: Signal): Promise<InitramfsFile[]> {
  return [...(await initrd.read({ signal })).values()];
}

/** The config that machines boot with; secrets that are made with the image have placeholders. */
export function plannedConfig({ planned }: PlannerState): Config | undefined {
  const { nodes, site, customization } = planned ?? {};
  if (nodes !== undefined) return liveConfig(nodes);
  if (site !== undefined) return agentConfigOf(site, UNMADE);
  const ignition = customization?.changes.ignition;
  if (ignition === undefined || ignition === null) return undefined;
  const outcome = parseConfig(new TextDecoder().decode(ignition));
  return outcome.ok ? outcome.value : undefined;
}

const MADE_LATER = { certificate: 'made with the image\n', key: 'made with the image\n' };

/** Placeholders for secrets. */
const UNMADE: ServiceCredentials = {
  signers: {
    'admin-kubeconfig-signer': MADE_LATER,
    'kube-apiserver-lb-signer': MADE_LATER,
    'kube-apiserver-localhost-signer': MADE_LATER,
    'kube-apiserver-service-network-signer': MADE_LATER,
  },
  passwordHash: '*',
  tokens: {
    agent: 'made-with-the-image',
    user: 'made-with-the-image',
    watcher: 'made-with-the-image',
    publicKey: 'made-with-the-image',
    expires: undefined,
  },
  infraEnvId: 'made-with-the-image',
};
