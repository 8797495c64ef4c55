// The views of the section "Preview", in the order of their tabs.
import type { PanelContext, PanelEntry } from '../panels.ts';
import { BOOTS } from '../texts/boots.ts';
import { CLUSTER } from '../texts/cluster.ts';
import { HOST_FORM } from '../texts/host-form.ts';
import { IGNITION } from '../texts/ignition.ts';
import { IMAGE } from '../texts/image.ts';
import { INITRAMFS } from '../texts/initramfs.ts';
import { KEYFILES } from '../texts/keyfiles.ts';
import { NETWORK } from '../texts/network.ts';
import type { ViewPanel } from './panel.ts';

const isOfTask =
  (...tasks: string[]) =>
  ({ project }: PanelContext): boolean =>
    tasks.includes(project.get().task);

function entry(panel: ViewPanel, isShown?: PanelEntry['isShown']): PanelEntry {
  const load = async (): ReturnType<PanelEntry['load']> => (await import('./panel.ts')).viewPanel(panel);
  return { id: panel.id, title: panel.title, load, ...(isShown && { isShown }) };
}

export const VIEWS: readonly PanelEntry[] = [
  entry({ id: 'cluster', title: CLUSTER.title }, isOfTask('cluster')),
  { id: 'form', title: HOST_FORM.title, load: async () => (await import('./host-form/panel.ts')).panel },
  entry({ id: 'network', title: NETWORK.title, isOfHost: true }),
  entry({ id: 'keyfiles', title: KEYFILES.title, isOfHost: true }),
  entry({ id: 'boots', title: BOOTS.title, isOfHost: true, hasCards: true }, isOfTask('nodes', 'cluster')),
  entry({ id: 'ignition', title: IGNITION.title }),
  entry({ id: 'image', title: IMAGE.title }),
  entry({ id: 'initramfs', title: INITRAMFS.title }),
];
