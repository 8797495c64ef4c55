// The whole state of the page: one immutable value, replaced as a whole. It exists only in the tab and in saved files.
import type { LanguageKind } from '@coreiso/language';
import { type Store, store } from './store.ts';

/** The use of the image. */
export type Task = 'nodes' | 'cluster' | 'live';

/** Kinds of documents that the page has an editor for. */
export type DocumentKind =
  | Extract<LanguageKind, 'nodes-config' | 'install-config' | 'agent-config' | 'network-state' | 'ignition'>
  | 'cluster-facts';

/** The documents of each task, the main one first. */
export const DOCUMENTS: Readonly<Record<Task, readonly DocumentKind[]>> = {
  nodes: ['nodes-config', 'cluster-facts'],
  cluster: ['install-config', 'agent-config'],
  live: ['network-state', 'ignition'],
};

/** File names of the documents, on disk and in the `coreiso` command of a screen. */
export const FILE_NAMES: Readonly<Record<DocumentKind, string>> = {
  'nodes-config': 'nodes-config.yaml',
  'cluster-facts': 'cluster.json',
  'install-config': 'install-config.yaml',
  'agent-config': 'agent-config.yaml',
  'network-state': 'network.yaml',
  ignition: 'config.ign',
};

/** How images are made; empty texts mean the default. */
export interface Choices {
  readonly form: 'iso' | 'minimal-iso' | 'pxe';
  readonly images: 'all-hosts' | 'per-host';
  /** A name of `JOINS`. */
  readonly join: string;
  /** When images stop installing, ISO 8601. */
  readonly validUntil: string;
  /** The address of network-boot files and root file systems. */
  readonly artifactsUrl: string;
  readonly releaseImage: string;
  readonly version: string;
  /** The system that the Ignition config is for. */
  readonly ignitionFor: 'live' | 'installed';
  /** The disk to which the live system installs. */
  readonly device: string;
  /** Kernel arguments to append, separated by blanks. */
  readonly kargs: string;
}

/** Hardware to try a plan on. */
export interface MachineEntry {
  readonly name: string;
  /** Interface name → MAC address. */
  readonly nics: Readonly<Record<string, string>>;
}

/** The part of a project that files contain; plain data. */
export interface ProjectData {
  readonly task: Task;
  /** Empty if there is none. */
  readonly documents: Readonly<Record<DocumentKind, string>>;
  readonly choices: Choices;
  readonly machines: readonly MachineEntry[];
}

/** The base image. */
export interface Base {
  readonly name: string;
  readonly size: number;
  readonly origin:
    | { readonly kind: 'file'; readonly file: File; readonly handle?: FileSystemFileHandle }
    | { readonly kind: 'sample'; readonly sample: string }
    | { readonly kind: 'address'; readonly url: string };
}

export interface Project extends ProjectData {
  readonly base: Base | undefined;
  /** Increases with every change. */
  readonly revision: number;
}

export interface ProjectStore extends Store<Project> {
  /** Replaces members of the project. */
  change(members: Partial<Omit<Project, 'revision'>>): void;
  setDocument(kind: DocumentKind, text: string): void;
  choose(choices: Partial<Choices>): void;
}

export const EMPTY: ProjectData = {
  task: 'nodes',
  documents: {
    'nodes-config': '',
    'cluster-facts': '',
    'install-config': '',
    'agent-config': '',
    'network-state': '',
    ignition: '',
  },
  choices: {
    form: 'iso',
    images: 'all-hosts',
    join: '',
    validUntil: '',
    artifactsUrl: '',
    releaseImage: '',
    version: '',
    ignitionFor: 'live',
    device: '',
    kargs: '',
  },
  machines: [],
};

export function projectStore(initial: ProjectData = EMPTY): ProjectStore {
  const { get, set, subscribe } = store<Project>({ ...initial, base: undefined, revision: 0 });
  const change: ProjectStore['change'] = (members) => set({ ...get(), ...members, revision: get().revision + 1 });
  return {
    get,
    subscribe,
    change,
    setDocument(kind, text) {
      const { documents } = get();
      if (documents[kind] !== text) change({ documents: { ...documents, [kind]: text } });
    },
    choose: (choices) => change({ choices: { ...get().choices, ...choices } }),
  };
}

/** The name of an edited image. */
export function imageName(base: string): string {
  return `${base.replace(/\.iso$/i, '')}-customized.iso`;
}
