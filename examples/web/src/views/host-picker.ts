// Chooses the host for all views of one host.
import { element, fill } from '../element.ts';
import type { PanelContext } from '../panels.ts';
import { store, type WritableStore } from '../store.ts';
import { VIEW } from '../texts/views.ts';
import type { PlanFacts } from '../worker/facts.ts';

/** The index in the plan. */
export const chosenHost: WritableStore<number> = store(0);

export function hostPicker({ plan }: PanelContext): { readonly element: HTMLElement; stop(): void } {
  const select = element('select', { 'aria-label': VIEW.host, onchange: () => chosenHost.set(Number(select.value)) });
  const step = (by: number): void => {
    const next = chosenHost.get() + by;
    if (next >= 0 && next < select.options.length) chosenHost.set(next);
  };
  const button = (label: string, text: string, by: number): HTMLButtonElement =>
    element(
      'button',
      { type: 'button', className: 'button small', 'aria-label': label, onclick: () => step(by) },
      text,
    );
  const [previous, next] = [button(VIEW.previousHost, '‹', -1), button(VIEW.nextHost, '›', 1)];
  const row = element(
    'div',
    { className: 'host-picker' },
    element('span', { 'aria-hidden': 'true' }, VIEW.host),
    select,
    previous,
    next,
  );
  let names = '';

  const refresh = (facts: PlanFacts | undefined): void => {
    const hosts = facts?.hosts ?? [];
    const wanted = hosts.map(({ name, role }) => (role === undefined ? name : `${name} (${role})`));
    // A document that is being typed has no hosts for a moment; that must not choose another host.
    row.hidden = hosts.length < 2;
    if (hosts.length === 0) return;
    if (names !== wanted.join('\n')) {
      names = wanted.join('\n');
      fill(
        select,
        wanted.map((name, position) => element('option', { value: `${position}` }, name)),
      );
    }
    if (chosenHost.get() >= hosts.length) chosenHost.set(hosts.length - 1);
    showChosen();
  };
  const showChosen = (): void => {
    select.value = `${chosenHost.get()}`;
    previous.disabled = chosenHost.get() === 0;
    next.disabled = chosenHost.get() >= select.options.length - 1;
  };
  const stops = [plan.subscribe(refresh), chosenHost.subscribe(showChosen)];
  return {
    element: row,
    stop() {
      for (const stop of stops) stop();
    },
  };
}
