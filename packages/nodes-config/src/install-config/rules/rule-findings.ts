import type { Path } from '@coreiso/diagnostics';
import { type Refusal, refuseAt } from '../../rules/registration.ts';
import type { Rule } from '../../text/codes.ts';
import type { Findings } from '../../text/config-findings.ts';

/** Upstream's steps after reading an install config. */
export type InstallStep = 'convert' | 'rules';

/** Collects the findings of rules: upstream's message, and help. */
export class RuleFindings {
  readonly #findings: Findings<InstallStep>;

  constructor(findings: Findings<InstallStep>) {
    this.#findings = findings;
  }

  /** An error in upstream's words. */
  error(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.upstream('rules', { code: `nodes-config/${rule}`, message, path, help });
  }

  /** An error that only the service on the machines would report. */
  own(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.own({ code: `nodes-config/${rule}`, message, path, help });
  }

  /** A refusal of the service on the machines. Values that the installer refuses never reach the service. */
  refused(path: Path, refusal: Refusal | undefined): void {
    refuseAt(this.#findings, path, refusal);
  }

  /** A note about a value that upstream silently accepts. */
  note(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.note('info', { code: `nodes-config/${rule}`, message, path, help });
  }

  /** A warning about a value that upstream silently accepts but that will probably fail. */
  doubt(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.note('warning', { code: `nodes-config/${rule}`, message, path, help });
  }

  /** A warning of upstream. */
  warning(rule: Rule, message: string, path: Path, help: string): void {
    this.#findings.upstreamWarning('rules', { code: `nodes-config/${rule}`, message, path, help });
  }
}
