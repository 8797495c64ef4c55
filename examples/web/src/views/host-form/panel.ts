// The form beside the text: filled fields are written into the text at once, and typed text fills the form.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { HostForm } from '@coreiso/nodes-config';
import { element, fill } from '../../element.ts';
import type { Panel, PanelContext } from '../../panels.ts';
import { HOST_FORM } from '../../texts/host-form.ts';
import { VIEW } from '../../texts/views.ts';
import { chosenHost } from '../host-picker.ts';
import { button } from './fields.ts';
import type { FormKind, FormState } from './host-text.ts';
import { showForm } from './show-form.ts';

const KINDS: Readonly<Record<string, FormKind>> = {
  nodes: 'nodes-config',
  cluster: 'agent-config',
  live: 'network-state',
};

const PAUSE = 250;

export const panel: Panel = { id: 'form', title: HOST_FORM.title, mount };

function mount(host: HTMLElement, { project, planner }: PanelContext): () => void {
  const status = element('div', { role: 'status' });
  const pickerRow = element('div', { className: 'host-picker' });
  const fields = element('form', { className: 'stack', onsubmit: (event: Event) => event.preventDefault() });
  let read: (FormState & { readonly text: string; readonly kind: FormKind; readonly position: number }) | undefined;
  /** The form with entries that cannot be written yet. */
  let draft: HostForm | undefined;
  let isPressed = false;
  let isOver = false;
  /** Resolves with the last step: each starts from the text that the previous one wrote. */
  let steps: Promise<void> = Promise.resolve();

  const inTurn = (step: () => Promise<void>): Promise<void> => {
    const turn = steps.then(step);
    steps = turn.catch(() => undefined);
    return turn;
  };

  const kindNow = (): FormKind => KINDS[project.get().task] ?? 'nodes-config';

  const isCurrent = (): boolean => {
    const kind = kindNow();
    return read?.text === project.get().documents[kind] && read.kind === kind && read.position === chosenHost.get();
  };

  const readAgain = async (): Promise<void> => {
    if (isOver || isCurrent()) return;
    const kind = kindNow();
    const text = project.get().documents[kind];
    const position = chosenHost.get();
    const found = await planner.ask('readHost', { kind, text, position });
    if (isOver) return;
    if (found.hosts !== undefined && found.hosts.length > 0 && position >= found.hosts.length) {
      chosenHost.set(found.hosts.length - 1);
      return;
    }
    read = { ...found, text, kind, position };
    draft = undefined;
    fill(status);
    show(found.form);
  };
  const refresh = (): Promise<void> => inTurn(readAgain);

  /** An entry counts even if the user leaves the view at once. Text typed since then stays. */
  const write = async (step: (form: HostForm) => HostForm): Promise<void> => {
    if (read === undefined) return;
    const form = step(draft ?? read.form);
    const { kind, text, position } = read;
    draft = form;
    const outcome = await planner.ask('writeHost', { kind, text, position, form });
    const isStale = project.get().documents[kind] !== text;
    if (outcome.ok && !isStale) {
      read = { ...read, form, text: outcome.value };
      project.setDocument(kind, outcome.value);
    }
    // Buttons must still exist when they are released.
    while (isPressed && !isOver) await new Promise((resolve) => setTimeout(resolve, 20));
    if (isOver || isStale) return;
    show(form);
    if (outcome.ok) fill(status);
    else complain(outcome.diagnostics);
  };
  const change = (step: (form: HostForm) => HostForm): Promise<void> => inTurn(() => write(step));

  const show = (form: HostForm): void => {
    if (read === undefined) return;
    const { hosts, position } = read;
    const isNothing = hosts !== undefined && hosts.length === 0;
    showPicker(hosts, position);
    keepFocus(fields, () =>
      fill(
        fields,
        isNothing
          ? element('p', { className: 'empty' }, HOST_FORM.empty)
          : showForm(form, hosts !== undefined, (next) => void change(next)),
      ),
    );
  };

  const showPicker = (hosts: readonly string[] | undefined, position: number): void => {
    if (hosts === undefined) {
      fill(pickerRow);
      return;
    }
    const select = element(
      'select',
      { 'aria-label': VIEW.host, name: 'host', onchange: () => chosenHost.set(Number(select.value)) },
      hosts.map((name, index) => element('option', { value: `${index}`, selected: index === position }, name)),
    );
    const add = button(HOST_FORM.newHost, () => void addHost(hosts.length), { name: 'add-host' });
    keepFocus(pickerRow, () => fill(pickerRow, hosts.length > 0 && select, add));
  };

  const writeNewHost = async (position: number): Promise<void> => {
    if (read === undefined) return;
    const form: HostForm = { hostname: `worker-${position}`, role: '', interfaces: [], network: undefined };
    const { kind, text } = read;
    const outcome = await planner.ask('writeHost', { kind, text, position, form });
    if (!outcome.ok) {
      complain(outcome.diagnostics);
      return;
    }
    project.setDocument(kind, outcome.value);
    chosenHost.set(position);
    await readAgain();
  };
  const addHost = (position: number): Promise<void> => inTurn(() => writeNewHost(position));

  /** Beside the field if there is one. */
  const complain = (diagnostics: readonly Diagnostic[]): void => {
    const texts = diagnostics.map((finding) => {
      const { message, help, path } = finding;
      const text = help === undefined ? message : `${message}. ${help}`;
      const place = placeOf(fields, path.join('.'));
      if (place !== undefined) {
        place.hidden = false;
        fill(place, text);
        const input = place.parentElement?.querySelector('input, select');
        input?.setAttribute('aria-invalid', 'true');
      }
      return element('li', {}, text);
    });
    fill(
      status,
      element('div', { className: 'note bad' }, element('div', {}, HOST_FORM.notWritten, element('ul', {}, texts))),
    );
  };

  fields.addEventListener('pointerdown', () => {
    isPressed = true;
  });
  const release = (): void => {
    isPressed = false;
  };
  addEventListener('pointerup', release);
  addEventListener('pointercancel', release);
  // Texts with many hosts are long: they are read when typing pauses.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refreshSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), PAUSE);
  };
  fill(host, pickerRow, status, fields);
  void refresh();
  const stops = [project.subscribe(refreshSoon), chosenHost.subscribe(() => void refresh())];
  return () => {
    isOver = true;
    clearTimeout(timer);
    removeEventListener('pointerup', release);
    removeEventListener('pointercancel', release);
    for (const stop of stops) stop();
  };
}

/** The place for findings whose path is the longest common beginning of the finding's path. */
function placeOf(fields: Element, path: string): HTMLElement | undefined {
  const places = [...fields.querySelectorAll<HTMLElement>('.complaint[data-path]')];
  const fitting = places.filter(({ dataset }) => {
    const own = dataset['path'] ?? '';
    return path === own || path.startsWith(`${own}.`) || own.startsWith(`${path}.`);
  });
  return fitting.sort((a, b) => (b.dataset['path'] ?? '').length - (a.dataset['path'] ?? '').length)[0];
}

/** Makes the fields again; the focused field keeps the focus and the text typed since. */
function keepFocus(host: Element, replace: () => void): void {
  const before = document.activeElement;
  const name = before instanceof HTMLElement && host.contains(before) ? before.getAttribute('name') : null;
  const typed = before instanceof HTMLInputElement && before.type === 'text' ? before.value : undefined;
  const [start, end] =
    typed === undefined
      ? [null, null]
      : [(before as HTMLInputElement).selectionStart, (before as HTMLInputElement).selectionEnd];
  const isDirty = typed !== undefined && typed !== (before as HTMLInputElement).defaultValue;
  replace();
  if (name === null) return;
  const after = host.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);
  after?.focus();
  if (!(after instanceof HTMLInputElement) || after.type !== 'text') return;
  if (isDirty && typed !== undefined) after.value = typed;
  after.setSelectionRange(start, end);
}
