// The page's side of the worker that plans and builds. The worker starts with the first call.
import type { Base, ProjectData } from '../project.ts';
import { type CallOptions, connectCalls, type Peer } from './calls.ts';
import type { BuiltFacts, ImageFacts, PlanFacts } from './facts.ts';
import type { Questions } from './questions/index.ts';

type Argument<N extends keyof Questions> = Parameters<Questions[N]>[1];
type Answer<N extends keyof Questions> = Awaited<ReturnType<Questions[N]>>;
type ProjectRevision = ProjectData & { readonly revision: number };

export interface Planner {
  /** Plans again; later calls make earlier answers obsolete. */
  plan(project: ProjectRevision): Promise<PlanFacts>;
  /**
   * Opens a base; rejects with a sentence if it is not a live image. A port answers reads of a base that the worker
   * must not fetch itself.
   */
  open(base: Base, port?: MessagePort): Promise<ImageFacts>;
  close(): Promise<void>;
  ask<N extends keyof Questions>(name: N, argument: Argument<N>, options?: CallOptions): Promise<Answer<N>>;
  /** Builds the outputs of the project; they are saved by their positions. */
  build(project: ProjectRevision, options?: CallOptions): Promise<BuiltFacts>;
  blob(position: number, options?: CallOptions): Promise<Blob>;
  stream(position: number, handle: FileSystemFileHandle, options?: CallOptions): Promise<void>;
  saveInPlace(position: number, handle: FileSystemFileHandle, options?: CallOptions): Promise<void>;
  undo(): Promise<void>;
  digest(position: number, options?: CallOptions): Promise<string>;
  /** Keyfiles, or manifests, as a zip; undefined if there are none. */
  textFiles(): Promise<Blob | undefined>;
}

export function connectPlanner(peer: Peer): Planner {
  const call = connectCalls(peer);
  return {
    plan: (project) => call('plan', project) as Promise<PlanFacts>,
    open: (base, port) => {
      const transfer = port === undefined ? [] : [port];
      return call('open', { base, port }, { transfer }) as Promise<ImageFacts>;
    },
    close: () => call('close') as Promise<void>,
    ask: <N extends keyof Questions>(name: N, argument: Argument<N>, options?: CallOptions) =>
      call('ask', { name, argument }, options) as Promise<Answer<N>>,
    build: (project, options) => call('build', project, options) as Promise<BuiltFacts>,
    blob: (position, options) => call('blob', position, options) as Promise<Blob>,
    stream: (position, handle, options) => call('stream', { position, handle }, options) as Promise<void>,
    saveInPlace: (position, handle, options) => call('saveInPlace', { position, handle }, options) as Promise<void>,
    undo: () => call('undo') as Promise<void>,
    digest: (position, options) => call('digest', position, options) as Promise<string>,
    textFiles: () => call('textFiles') as Promise<Blob | undefined>,
  };
}
