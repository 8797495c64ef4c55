// Status of a machine's live system, poll by poll: each verdict is reported once, and again only if it changes.
import type { ServiceFact } from '../service/facts.ts';
import type { LiveCheck, LiveStatus } from '../service/live-system.ts';

/** The data of an event about a host. */
export type MonitorFact =
  | ServiceFact
  /** The disk that the machine chose, and why. */
  | { readonly kind: 'disk'; readonly disk: string; readonly reason: string }
  /** Written share of the disk; if a service installs the machine, share of the whole installation, and its stage. */
  | { readonly kind: 'progress'; readonly stage?: string; readonly percentage: number };

export interface LiveLine {
  readonly level: 'info' | 'warning';
  readonly message: string;
  readonly fact?: MonitorFact;
}

/** The state of a machine that still runs the image. */
export interface LiveReading {
  readonly stage: 'live' | 'installing' | 'failed';
  readonly waitsFor: string;
  readonly lines: readonly LiveLine[];
}

/** Percentages are reported in steps of this size. */
const STEP = 10;

/** The story of one live system. */
export class LiveStory {
  readonly #checks = new Map<string, LiveCheck>();
  #disk = '';
  #step = 0;

  read(status: LiveStatus): LiveReading {
    const lines: LiveLine[] = status.checks.flatMap((check) => this.#tellCheck(check));
    lines.push(...this.#tellDisk(status), ...this.#tellProgress(status));
    return { ...stageOf(status), lines };
  }

  #tellCheck(check: LiveCheck): LiveLine[] {
    const before = this.#checks.get(check.check);
    this.#checks.set(check.check, check);
    if (before !== undefined && !isReportable(check, before)) return [];
    const { verdict, text } = check;
    const fact = { kind: 'validation', id: check.check, status: STATUSES[verdict], text } as const;
    return [{ level: verdict === 'pass' ? 'info' : 'warning', message: `${WORDS[verdict]}: ${text}`, fact }];
  }

  #tellDisk({ disk, reason }: LiveStatus): LiveLine[] {
    if (disk === '' || disk === this.#disk) return [];
    this.#disk = disk;
    return [{ level: 'info', message: `the disk is ${disk}, ${reason}`, fact: { kind: 'disk', disk, reason } }];
  }

  #tellProgress({ stage, percentage }: LiveStatus): LiveLine[] {
    if (stage !== 'installing' || percentage === undefined) {
      this.#step = 0;
      return [];
    }
    const step = Math.floor(percentage / STEP);
    if (step === this.#step) return [];
    this.#step = step;
    return [{ level: 'info', message: `${percentage} % is written`, fact: { kind: 'progress', percentage } }];
  }
}

const WORDS = { pass: 'pass', warning: 'warning', fail: 'FAIL' } as const;
/** The same verdicts in the words of the service of upstream's images. */
const STATUSES = { pass: 'success', warning: 'warning', fail: 'failure' } as const;

/** Checks run again every minute; another second of clock difference is not news. */
function isReportable(now: LiveCheck, before: LiveCheck): boolean {
  if (now.verdict !== before.verdict) return true;
  const lasting = (text: string) => text.replace(/\d+ seconds/, '');
  return now.verdict !== 'pass' && lasting(now.text) !== lasting(before.text);
}

function stageOf({ stage, percentage, error }: LiveStatus): Omit<LiveReading, 'lines'> {
  switch (stage) {
    case 'starting':
    case 'checking':
      return { stage: 'live', waitsFor: 'its checks' };
    case 'waiting':
      return { stage: 'live', waitsFor: `its checks to pass: ${error}` };
    case 'installing':
      return { stage: 'installing', waitsFor: `its disk to be written: ${percentage ?? 0} %` };
    case 'finishing':
    case 'installed':
      return { stage: 'installing', waitsFor: 'its reboot' };
    case 'stopped':
    case 'failed':
      return { stage: 'failed', waitsFor: `you: ${error}` };
  }
}
