import { checkArgument } from '@coreiso/peers/arguments';

/** The `report.json` of oc, with the same member names; coreiso's own members come last. */
export interface BuildReport {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly stages: readonly {
    readonly id: string;
    readonly description: string;
    readonly start_time: string;
    readonly end_time: string;
    /** JSON text, for stages that have a result. */
    readonly result?: string;
    readonly sub_stages?: readonly {
      readonly id: string;
      readonly description: string;
      readonly start_time: string;
      readonly end_time: string;
    }[];
  }[];
  readonly result: {
    readonly exit_code: number;
    /** The innermost cause of a failure, then the whole chain; the last stage is the one that failed. */
    readonly error_message?: string;
    readonly detailed_error_message?: string;
  };
  /** Port and token of the status that booted machines serve. Secret. */
  readonly status?: { readonly port: number; readonly token: string };
}

type BuildStage = BuildReport['stages'][number];

/** Upstream's stages, as far as they exist here. */
const STAGES = {
  'add-nodes-cluster-inspection': 'Gathering additional information from the target cluster',
  'create-manifest': 'Creating internal configuration manifests',
  ignition: 'Rendering ISO ignition',
  'fetch-base-iso': 'Retrieving the base ISO image',
  'fetch-base-iso.extract-image': 'Extracting base image from release payload',
  'fetch-base-iso.verify-version': 'Verifying base image version',
  'fetch-base-iso.download-image': 'Downloading base ISO image',
  'generate-iso': 'Assembling ISO image',
  'generate-pxe': 'Assembling PXE files',
} as const;

type StageId = keyof typeof STAGES;

/** A stage while it runs. */
interface OpenStage {
  readonly id: StageId;
  readonly start: Date;
  end?: Date | undefined;
  result?: string;
  readonly parts: OpenStage[];
}

/**
 * Records the start and end of each stage of a build, and which one failed. Stages with the same name are merged.
 *
 * @example const report = new ReportWriter(() => new Date()); report.begin('fetch-base-iso.download-image')
 */
export class ReportWriter {
  readonly #now: () => Date;
  readonly #start: Date;
  readonly #stages: OpenStage[] = [];
  #current: OpenStage | undefined;

  constructor(now: () => Date) {
    if (typeof now !== 'function') throw new TypeError('now must be a function that returns a Date');
    this.#now = now;
    this.#start = now();
  }

  /** Ends the current stage and begins this one. A name with a dot is a sub-stage of the part before the dot. */
  begin(id: string): void {
    checkArgument('id', id, 'text');
    if (!isStage(id)) throw new RangeError(`id must be one of ${Object.keys(STAGES).join(', ')}`);
    const now = this.#now();
    const owner = id.split('.', 1).filter(isStage)[0] ?? id;
    if (this.#current?.id !== owner) this.#close(now);
    this.#current = enterStage(this.#stages, owner, now);
    const [part] = this.#current.parts.slice(-1);
    if (part !== undefined) part.end ??= now;
    if (owner !== id) enterStage(this.#current.parts, id, now);
  }

  /** Runs the work of a stage; the stage fails if the work does. */
  async stage<T>(id: string, work: () => T | Promise<T>, describe?: (value: T) => unknown): Promise<T> {
    this.begin(id);
    const stage = this.#current;
    const value = await work();
    const result = describe && JSON.stringify(describe(value));
    if (stage !== undefined && result !== undefined) stage.result = result;
    this.#close(this.#now());
    return value;
  }

  /** The report as of now. */
  finish(status?: BuildReport['status']): BuildReport {
    return this.#report({ exit_code: 0 }, status);
  }

  /** The report of a failure in the current stage. */
  fail(message: string, detail: string): BuildReport {
    checkArgument('message', message, 'text');
    checkArgument('detail', detail, 'text');
    return this.#report({ exit_code: 1, error_message: message, detailed_error_message: detail });
  }

  #close(now: Date): void {
    const stage = this.#current;
    this.#current = undefined;
    if (stage === undefined) return;
    for (const one of [stage, ...stage.parts]) one.end ??= now;
  }

  #report(result: BuildReport['result'], status?: BuildReport['status']): BuildReport {
    const start = this.#start.toISOString();
    const stages = this.#stages.map((stage) => this.#told(stage));
    return {
      // To the minute, without punctuation.
      id: `report-addnodes-${start.slice(0, 16).replace(/\D/g, '')}`,
      start_time: start,
      end_time: this.#now().toISOString(),
      stages,
      result,
      ...(status && { status }),
    };
  }

  #told({ id, start, end, result, parts }: OpenStage): BuildStage {
    const until = end ?? this.#now();
    return {
      id,
      description: STAGES[id],
      start_time: start.toISOString(),
      end_time: until.toISOString(),
      ...(result === undefined ? {} : { result }),
      ...(parts.length === 0
        ? {}
        : { sub_stages: parts.map((part) => this.#told({ ...part, end: part.end ?? until })) }),
    };
  }
}

function isStage(id: string): id is StageId {
  return Object.hasOwn(STAGES, id);
}

/** The stage of that name: the last one if it matches, or else a new one. */
function enterStage(stages: OpenStage[], id: StageId, now: Date): OpenStage {
  const known = stages.find((stage) => stage.id === id);
  if (known === undefined) {
    const stage = { id, start: now, parts: [] };
    stages.push(stage);
    return stage;
  }
  if (known === stages.at(-1)) known.end = undefined;
  return known;
}
