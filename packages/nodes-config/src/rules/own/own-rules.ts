// Rules of coreiso about hosts: values that upstream accepts, but that fail on the machine.
import type { Findings } from '../../text/config-findings.ts';
import type { CheckedHost } from '../host-fields.ts';
import { checkHints } from './hint-rules.ts';
import { checkAddresses, checkHostname, checkMacs, FirstUses } from './identity-rules.ts';
import { checkMapping, checkTableNames } from './interface-rules.ts';
import { checkKeyfiles } from './keyfile-rules.ts';

/** Checks hosts one after the other, each alone and against earlier ones, in linear time. */
export class OwnRules {
  readonly #macs = new FirstUses();
  readonly #hostnames = new FirstUses();
  readonly #addresses = new FirstUses();
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  check(host: CheckedHost): void {
    checkMacs(host, this.#macs, this.#findings);
    checkHostname(host, this.#hostnames, this.#findings);
    checkHints(host, this.#findings);
    checkTableNames(host, this.#findings);
    checkAddresses(host, this.#addresses, this.#findings);
    checkMapping(host, this.#findings);
    checkKeyfiles(host, this.#findings);
  }
}
