// One view, as blocks.
import { inspect } from '@coreiso/iso';
import { VIEW } from '../../texts/views.ts';
import type { SecretDisplay, View } from '../../views/blocks.ts';
import { bootsView } from '../../views/boots.ts';
import { clusterView } from '../../views/cluster.ts';
import { ignitionView } from '../../views/ignition-tree.ts';
import { imageView } from '../../views/image-map.ts';
import { initramfsView } from '../../views/initramfs.ts';
import { keyfilesView } from '../../views/keyfiles.ts';
import { networkView } from '../../views/network.ts';
import type { CallOptions } from '../calls.ts';
import type { PlannerState } from '../state.ts';
import { hostNetwork, hostProfiles, plannedHosts } from './hosts.ts';
import { editedImage, initramfsFiles, plannedConfig } from './preview.ts';

export interface ViewQuestion extends SecretDisplay {
  readonly view: ViewName;
  /** Of the host, for views of one host. */
  readonly position: number;
  /** Cards of a machine, for its boots. */
  readonly cards: string;
}

type Answer = (state: PlannerState, question: ViewQuestion, options: CallOptions) => View | undefined | Promise<View>;

const VIEWS = {
  network(state, { position }) {
    const network = hostNetwork(state, position);
    return network && networkView(network);
  },
  keyfiles(state, question) {
    const profiles = hostProfiles(state, question.position);
    return profiles && keyfilesView(profiles, question);
  },
  boots(state, { cards }) {
    const hosts = plannedHosts(state);
    return hosts && bootsView(hosts.plans, cards, hosts.outline);
  },
  async image(state, { position }, { signal }) {
    const base = state.base && (await inspect(state.base.source, { signal }));
    return imageView(base, await editedImage(state, position, signal));
  },
  async initramfs(state, question, { signal }) {
    const { before, after } = await initramfsFiles(state, question.position, signal);
    return initramfsView(before, after, question);
  },
  ignition: (state, question) => ignitionView(plannedConfig(state), question),
  cluster: (state) => clusterView(state.planned?.cluster),
} satisfies Readonly<Record<string, Answer>>;

export type ViewName = keyof typeof VIEWS;

export async function view(state: PlannerState, question: ViewQuestion, options: CallOptions = {}): Promise<View> {
  const answer: Answer = VIEWS[question.view];
  const found = await answer(state, question, options);
  return found ?? { blocks: [{ kind: 'sentence', tone: 'hint', text: VIEW.noHosts }], hidesSecrets: false };
}
