// Collects findings about a directory, in the order in which the installer would report them.
import type { Outcome } from '@coreiso/diagnostics';
import type { Rule } from '../text/codes.ts';
import type { FileDiagnostic } from '../text/config-findings.ts';

/** A finding about a file as a whole. */
interface FileFinding {
  readonly file: string;
  /** The code without the package. */
  readonly rule: Rule;
  readonly message: string;
  readonly help: string;
}

export class FindingCollector {
  readonly #diagnostics: FileDiagnostic[] = [];

  /** The installer stops at the first failure; findings after it are reported as coreiso's own. */
  take(diagnostics: readonly FileDiagnostic[]): void {
    const isReached = !this.#hasError();
    this.#diagnostics.push(...diagnostics.map((one) => (isReached ? one : { ...one, upstream: false })));
  }

  /** An error of upstream. */
  fail(finding: FileFinding): void {
    this.#add('error', finding, true);
  }

  /** A warning of upstream. */
  warn(finding: FileFinding): void {
    this.#add('warning', finding, true);
  }

  /** An error of coreiso: the installer would crash, or fail later. */
  refuse(finding: FileFinding): void {
    this.#add('error', finding, false);
  }

  outcome<T>(value: T | undefined): Outcome<T, FileDiagnostic> {
    const diagnostics = this.#diagnostics;
    return value === undefined || this.#hasError() ? { ok: false, diagnostics } : { ok: true, value, diagnostics };
  }

  #add(severity: 'error' | 'warning', { rule, ...finding }: FileFinding, upstream: boolean): void {
    this.take([{ ...finding, severity, code: `nodes-config/${rule}`, path: [], upstream }]);
  }

  #hasError(): boolean {
    return this.#diagnostics.some(({ severity }) => severity === 'error');
  }
}
