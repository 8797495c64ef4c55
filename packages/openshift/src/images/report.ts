/** Upstream's `report.json`, member names included; what is ours comes last. */
export interface BuildReport {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly stages: readonly {
    readonly id: string;
    readonly description: string;
    readonly start_time: string;
    readonly end_time: string;
    /** JSON text where a stage has something to tell. */
    readonly result?: string;
  }[];
  readonly result: { readonly exit_code: number };
  /** Where machines that boot the image tell how far they are, and the token that opens it. Secret. */
  readonly status?: { readonly port: number; readonly token: string };
}

type BuildStage = BuildReport['stages'][number];

/** Upstream's stages, as far as they happen here. */
const STAGES = {
  'add-nodes-cluster-inspection': 'Gathering additional information from the target cluster',
  'create-manifest': 'Creating internal configuration manifests',
  ignition: 'Rendering ISO ignition',
  'fetch-base-iso': 'Retrieving the base ISO image',
  'generate-iso': 'Assembling ISO image',
  'generate-pxe': 'Assembling PXE files',
} as const;

type StageId = keyof typeof STAGES;

/** Notes when each stage began and ended. */
export class ReportWriter {
  readonly #now: () => Date;
  readonly #start: Date;
  readonly #stages: BuildStage[] = [];

  constructor(now: () => Date) {
    this.#now = now;
    this.#start = now();
  }

  async stage<T>(id: StageId, work: () => T | Promise<T>, describe?: (value: T) => unknown): Promise<T> {
    const start = this.#now();
    const value = await work();
    const result = describe && JSON.stringify(describe(value));
    this.#stages.push({ ...this.#until(id, start), ...(result === undefined ? {} : { result }) });
    return value;
  }

  /** The report as of now; `last` is a stage that is going on. */
  finish(status: BuildReport['status'], last?: { readonly id: StageId; readonly begun: Date }): BuildReport {
    const start = this.#start.toISOString();
    const stages = last === undefined ? this.#stages : [...this.#stages, this.#until(last.id, last.begun)];
    return {
      // To the minute, without punctuation.
      id: `report-addnodes-${start.slice(0, 16).replace(/\D/g, '')}`,
      start_time: start,
      end_time: this.#now().toISOString(),
      stages,
      result: { exit_code: 0 },
      ...(status && { status }),
    };
  }

  #until(id: StageId, start: Date): BuildStage {
    return {
      id,
      description: STAGES[id],
      start_time: start.toISOString(),
      end_time: this.#now().toISOString(),
    };
  }
}
