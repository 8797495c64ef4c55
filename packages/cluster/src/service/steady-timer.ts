/** The longest gap between polls that counts: events in between are unknown. */
const LONGEST_GAP = 30_000;

/** How long every poll has shown the same value. */
export class SteadyTimer {
  #what = '';
  #last = 0;
  #seen = 0;

  /** Takes a poll, and returns the milliseconds; none if the value is absent. */
  see(what: string, now: number): number {
    const gap = now - this.#last;
    this.#seen = what === '' || what !== this.#what ? 0 : this.#seen + Math.min(gap, LONGEST_GAP);
    this.#what = what;
    this.#last = now;
    return this.#seen;
  }
}
