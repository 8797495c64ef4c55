/** However long no one could look, no more of it counts: what happened meanwhile is unknown. */
const LONGEST_GAP = 30_000;

/** For how long the same thing was seen at every look. */
export class SteadyTimer {
  #what = '';
  #last = 0;
  #seen = 0;

  /** Takes a look, and returns the milliseconds; none where there is nothing to see. */
  see(what: string, now: number): number {
    const gap = now - this.#last;
    this.#seen = what === '' || what !== this.#what ? 0 : this.#seen + Math.min(gap, LONGEST_GAP);
    this.#what = what;
    this.#last = now;
    return this.#seen;
  }
}
