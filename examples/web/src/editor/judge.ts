// Decides when a text is checked: quickly at each key stroke, completely when typing pauses, and then fixes are tried. The next key
// stroke aborts running checks.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { LanguageKind, LanguageService } from '@coreiso/language';

const PAUSE = 400;
/** The number of findings that get fixes without a request. */
const MOST_FIXED = 40;

export interface Judge {
  /** The current text. */
  typed(text: string): void;
  stop(): void;
}

export function judge(
  service: LanguageService,
  file: { readonly uri: string; readonly kind: LanguageKind },
  onFindings: (findings: readonly Diagnostic[]) => void,
): Judge {
  let overtaken = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { uri, kind } = file;
  const attempt = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const { signal } = overtaken;
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  const judgeWholly = (text: string): Promise<void> =>
    attempt(async (signal) => {
      const findings = await service.findings(uri, { signal });
      signal.throwIfAborted();
      onFindings(findings);
      const last = findings.slice(0, MOST_FIXED).at(-1);
      if (last === undefined) return;
      const isShort = findings.length <= MOST_FIXED;
      const end = isShort ? text.length : (last.range?.end.offset ?? text.length);
      const fixes = await service.fixes(uri, { start: 0, end }, { signal });
      signal.throwIfAborted();
      onFindings(
        findings.map((finding) => {
          const own = fixes.filter(({ finding: other }) => isSame(finding, other)).map(({ fix }) => fix);
          return own.length === 0 ? finding : { ...finding, fixes: own };
        }),
      );
    });
  return {
    typed(text) {
      overtaken.abort();
      overtaken = new AbortController();
      clearTimeout(timer);
      void attempt(async (signal) => {
        await service.open(uri, text, kind);
        const findings = await service.findings(uri, { depth: 'quick', signal });
        signal.throwIfAborted();
        onFindings(findings);
        timer = setTimeout(() => void judgeWholly(text), PAUSE);
      });
    },
    stop() {
      overtaken.abort();
      clearTimeout(timer);
      void service.close(uri);
    },
  };
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return (
    one.code === other.code && one.message === other.message && one.range?.start.offset === other.range?.start.offset
  );
}
