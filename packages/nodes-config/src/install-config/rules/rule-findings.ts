import type { Path } from '@coreiso/diagnostics';
import { type Refusal, refuseAt } from '../../rules/registration.ts';
import type { Rule } from '../../text/codes.ts';
import type { Findings } from '../../text/config-findings.ts';

/** Upstream's steps after reading an install config. */
export type InstallStep = 'convert' | 'rules';

/** Where rules put what they find: upstream's words, and beside them what to do. */
export class RuleFindings {
  readonly #findings: Findings<InstallStep>;

  constructor(findings: Findings<InstallStep>) {
    this.#findings = findings;
  }

  /** An error in upstream's words. */
  error(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.upstream('rules', { code: `nodes-config/${rule}`, message, path, help });
  }

  /** An error that only the service on the machines would tell. */
  own(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.own({ code: `nodes-config/${rule}`, message, path, help });
  }

  /** What the service on the machines refuses; what the installer refuses does not get so far. */
  refused(path: Path, refusal: Refusal | undefined): void {
    refuseAt(this.#findings, path, refusal);
  }

  /** Something worth knowing that upstream passes over in silence. */
  note(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.note('info', { code: `nodes-config/${rule}`, message, path, help });
  }

  /** Something that upstream passes over in silence, and that will probably fail. */
  doubt(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.note('warning', { code: `nodes-config/${rule}`, message, path, help });
  }

  /** Something upstream only warns of. */
  warning(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.upstreamWarning('rules', { code: `nodes-config/${rule}`, message, path, help });
  }
}
