import type { Region } from '../bytes/region.ts';
import { IsoError } from '../errors.ts';

/** A link of the chain from the firmware to the live system. */
export type BootLink = BootProof['ways'][number]['links'][number];

/** A way in which firmware can start an image. */
export type BootWay = BootProof['ways'][number];

/** How an image boots, judged by its bytes: a plain object, ready for JSON. */
export interface BootProof {
  /** `broken` if any link is broken; `unknown` if a link cannot be judged, or if no way to boot exists. */
  readonly verdict: 'boots' | 'broken' | 'unknown';
  readonly ways: readonly {
    readonly firmware: 'bios' | 'uefi' | 'open-firmware' | 's390x';
    /** The image in a CD drive, or written to a disk or a USB stick. */
    readonly medium: 'cd' | 'disk';
    readonly verdict: BootProof['verdict'];
    readonly links: readonly {
      readonly name:
        | 'volume'
        | 'boot catalogue'
        | 'MBR'
        | 'GPT'
        | 'EFI image'
        | 'loader'
        | 'menu'
        | 'kernel'
        | 'initrds'
        | 'areas'
        | 'initramfs'
        | 'root'
        | 'Ignition';
      readonly state: 'ok' | 'broken' | 'unknown';
      /** The finding about the link. */
      readonly detail: string;
      /** Byte position in the image. */
      readonly offset?: number;
    }[];
    /** The kernel and initrds of the menu's default entry. */
    readonly boots?: {
      readonly kernel: string;
      readonly initrds: readonly string[];
      /** As shown in `/proc/cmdline`. */
      readonly arguments: string;
      /** Files that the initrd area adds, as the kernel unpacks them. */
      readonly embedded?: readonly { readonly path: string; readonly mode: number; readonly size: number }[];
    };
  }[];
}

export type Boots = NonNullable<BootWay['boots']>;

/** Ends a way: the links after this one cannot be followed. */
class ChainStopped extends Error {}

/** The links of one way, in order. */
export class Chain {
  readonly links: BootLink[] = [];
  #at: BootLink['name'] = 'volume';

  /** Sets the link that later findings belong to. */
  look(name: BootLink['name']): void {
    this.#at = name;
  }

  ok(detail: string): void {
    this.links.push({ name: this.#at, state: 'ok', detail });
  }

  unknown(detail: string): void {
    this.links.push({ name: this.#at, state: 'unknown', detail });
  }

  broken(detail: string, offset?: number): void {
    this.links.push({ name: this.#at, state: 'broken', detail, ...(offset === undefined ? {} : { offset }) });
  }

  /** Records a broken link and ends the way. */
  fail(detail: string, offset?: number): never {
    this.broken(detail, offset);
    throw new ChainStopped();
  }

  /** Records a link that cannot be judged, and ends the way. */
  leave(detail: string): never {
    this.unknown(detail);
    throw new ChainStopped();
  }

  /** Runs `work` until the way ends. */
  async follow(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof ChainStopped) return;
      if (!(error instanceof IsoError)) throw error;
      this.broken(messageOf(error), error.offset);
    }
  }

  get verdict(): BootProof['verdict'] {
    return verdictOf(this.links.map(({ state }) => (state === 'ok' ? 'boots' : state)));
  }
}

/** The worst of several verdicts; `unknown` if there are none. */
export function verdictOf(verdicts: readonly BootProof['verdict'][]): BootProof['verdict'] {
  if (verdicts.includes('broken')) return 'broken';
  return verdicts.length === 0 || verdicts.includes('unknown') ? 'unknown' : 'boots';
}

/** An error and its causes in one line. */
export function messageOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${messageOf(error.cause)}` : error.message;
}

/** Whether two regions share a byte. */
export function overlaps(a: Region, b: Region): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}
