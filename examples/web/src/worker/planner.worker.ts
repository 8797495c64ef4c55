// The worker that plans and builds: the page itself runs nothing that takes long.
import { type ByteSource, inspect } from '@coreiso/iso';
import type { Base } from '../project.ts';
import { save as texts } from '../texts/save.ts';
import { openBase, sourceOf } from './bases.ts';
import { build, textFiles } from './build.ts';
import { type CallOptions, type Peer, serveCalls } from './calls.ts';
import type { BuiltFacts, ImageFacts, PlanFacts } from './facts.ts';
import { planProject } from './plans.ts';
import { QUESTIONS } from './questions/index.ts';
import { reasonOf } from './reason.ts';
import { asBlob, digestOf, saveInPlace, stream, undoInPlace, zipOf } from './saves.ts';
import type { PlannerState } from './state.ts';
import { wrongFile } from './wrong-file.ts';

type LoadedProject = NonNullable<PlannerState['project']>;
interface ToFile {
  readonly position: number;
  readonly handle: FileSystemFileHandle;
}

const state: PlannerState = { project: undefined, base: undefined, planned: undefined, built: [], undo: undefined };

serveCalls(
  self as unknown as Peer,
  {
    plan: (project: LoadedProject): Promise<PlanFacts> => plan(project),
    async open({ base, port }: { base: Base; port: MessagePort | undefined }, { signal }): Promise<ImageFacts> {
      state.base = undefined;
      state.built = [];
      const source = await sourceOf(base, port);
      try {
        const opened = await openBase(base.name, source, signal);
        const inspection = await inspect(source, { signal });
        state.base = opened;
        return { name: base.name, ...inspection };
      } catch (error) {
        throw new Error(await wrongFile(source, error));
      }
    },
    close() {
      state.base = undefined;
      state.built = [];
    },
    ask({ name, argument }: { name: keyof typeof QUESTIONS; argument: never }, options) {
      const answer: (state: PlannerState, argument: never, options: CallOptions) => unknown = QUESTIONS[name];
      return answer(state, argument, options);
    },
    async build(project: LoadedProject, options): Promise<BuiltFacts> {
      await plan(project);
      return await build(state, options);
    },
    blob: (position: number, options) => asBlob(output(position), options),
    stream: ({ position, handle }: ToFile, options) => stream(output(position), handle, options),
    async saveInPlace({ position, handle }: ToFile, options): Promise<void> {
      state.undo = await saveInPlace(output(position), handle, options);
    },
    async undo() {
      if (state.undo !== undefined) await undoInPlace(state.undo);
      state.undo = undefined;
    },
    digest: (position: number, options) => digestOf(output(position), options),
    async textFiles(): Promise<Blob | undefined> {
      const files = textFiles(state);
      return Object.keys(files).length === 0 ? undefined : await zipOf(files);
    },
  },
  reasonOf,
);

async function plan(project: LoadedProject): Promise<PlanFacts> {
  state.project = project;
  const planned = await planProject(project, state.base);
  if (state.project === project) state.planned = planned;
  return planned.facts;
}

function output(position: number): ByteSource {
  const found = state.built[position];
  if (found === undefined) throw new Error(texts.gone);
  return found.source;
}
