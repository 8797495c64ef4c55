// Connects project, language service and planner: both get the typed text, and return their findings.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { LanguageService } from '@coreiso/language';
import type { PanelContext } from './panels.ts';
import { type Base, DOCUMENTS, type DocumentKind, type Project, type ProjectData, projectStore } from './project.ts';
import { type Store, store } from './store.ts';
import type { Peer } from './worker/calls.ts';
import type { ImageFacts, PlanFacts } from './worker/facts.ts';
import { connectPlanner } from './worker/planner.ts';

type Findings = Readonly<Partial<Record<DocumentKind, readonly Diagnostic[]>>>;

/** Objects that the parts of the page share, and some that only few of them need. */
export interface PageContext extends PanelContext {
  /** Started with the first document. */
  language(): LanguageService;
  /** The findings of the language service. */
  setLanguageFindings(kind: DocumentKind, findings: readonly Diagnostic[]): void;
  /** The reason why the base could not be opened. */
  readonly imageError: Store<string | undefined>;
  /** The project for workers. */
  told(): ProjectData & { readonly revision: number };
  onReveal(listener: (kind: DocumentKind, offset: number) => void): void;
  /** The field for the address of a base; undefined if the page fetches nothing from other servers. */
  readonly addressField: (() => HTMLElement) | undefined;
  /** The requests to other servers. */
  readonly fetchLog: HTMLElement | undefined;
}

/** Reads bases at addresses. */
interface AddressReader {
  read(base: Base): Promise<{ readonly port: MessagePort; readonly size: number }>;
  field(context: PageContext): HTMLElement;
  readonly log: HTMLElement;
}

/** Features of this page beyond the other one. */
export interface ContextOptions {
  /** Connects the services; their code is fetched with the first document. */
  readonly language: () => LanguageService;
  /** Reads bases at addresses, if the page may fetch from other servers. */
  readonly address?: AddressReader | undefined;
}

/** The pause in typing after which everything is planned again. */
const PAUSE = 250;

export function startContext({ language, address }: ContextOptions): PageContext {
  const project = projectStore();
  const planner = connectPlanner(
    lazily(() => new Worker(new URL('./worker/planner.worker.ts', import.meta.url), { type: 'module' })),
  );
  const plan = store<PlanFacts | undefined>(undefined);
  const image = store<ImageFacts | undefined>(undefined);
  const imageError = store<string | undefined>(undefined);
  const ofLanguage = store<Findings>({});
  const findings = store<Findings>({});
  const reveals = new Set<(kind: DocumentKind, offset: number) => void>();

  const combine = (): void => findings.set(combined(ofLanguage.get(), plan.get()?.findings ?? {}));
  plan.subscribe(combine);
  ofLanguage.subscribe(combine);

  const told: PageContext['told'] = () => {
    const { base: _, ...data } = project.get();
    return data;
  };
  const planNow = async (): Promise<void> => {
    const { base, documents, revision } = project.get();
    const isEmpty = base === undefined && Object.values(documents).every((text) => text === '');
    if (isEmpty) return plan.set(undefined);
    const facts = await planner.plan(told());
    if (revision === project.get().revision) plan.set(facts);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before: Project | undefined;
  project.subscribe((current) => {
    const isOther = before !== undefined && before.base !== current.base;
    before = current;
    if (isOther) void openBase(current.base);
    clearTimeout(timer);
    timer = setTimeout(planNow, PAUSE);
  });

  async function openBase(base: Project['base']): Promise<void> {
    image.set(undefined);
    imageError.set(undefined);
    try {
      const remote = base?.origin.kind === 'address' ? await address?.read(base) : undefined;
      const facts =
        base === undefined
          ? await planner.close()
          : await planner.open({ ...base, size: remote?.size ?? base.size }, remote?.port);
      if (project.get().base === base) image.set(facts ?? undefined);
    } catch (error) {
      if (project.get().base === base) imageError.set(error instanceof Error ? error.message : String(error));
    }
    // Some plans depend on the features of the image.
    await planNow();
  }

  let service: LanguageService | undefined;
  const context: PageContext = {
    project,
    findings,
    plan,
    image,
    imageError,
    planner,
    told,
    language() {
      service ??= language();
      return service;
    },
    setLanguageFindings: (kind, found) => ofLanguage.set({ ...ofLanguage.get(), [kind]: found }),
    reveal(kind, offset) {
      for (const listener of reveals) listener(kind, offset);
    },
    onReveal: (listener) => void reveals.add(listener),
    addressField: address && (() => address.field(context)),
    fetchLog: address?.log,
  };
  return context;
}

/** A worker that starts with the first message to it. */
export function lazily(start: () => Worker): Peer {
  let worker: Worker | undefined;
  const listeners: ((event: MessageEvent) => void)[] = [];
  return {
    postMessage(message, transfer = []) {
      if (worker === undefined) {
        worker = start();
        for (const listener of listeners) worker.addEventListener('message', listener);
      }
      worker.postMessage(message, transfer);
    },
    addEventListener: (_, listener) => void listeners.push(listener),
  };
}

/** Findings of both are shown once, in the words of the language service, which has fixes. */
function combined(language: Findings, planner: Findings): Findings {
  const kinds = new Set(Object.values(DOCUMENTS).flat());
  const all: Partial<Record<DocumentKind, readonly Diagnostic[]>> = {};
  for (const kind of kinds) {
    const known = language[kind] ?? [];
    const keyOf = ({ code, range, path }: Diagnostic): string => `${code} ${range?.start.line ?? path.join('.')}`;
    const keys = new Set(known.map(keyOf));
    all[kind] = [...known, ...(planner[kind] ?? []).filter((finding) => !keys.has(keyOf(finding)))];
  }
  return all;
}
