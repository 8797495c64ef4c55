// A bar of tabs, as the pattern of the ARIA practices has it: arrows, Home and End move, one tab is in the tab order.
import { element, fill } from './element.ts';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly marks?: { readonly text: string; readonly className: string } | undefined;
}

export interface TabBar {
  readonly element: HTMLElement;
  setTabs(tabs: readonly Tab[]): void;
  select(id: string): void;
  mark(id: string, marks: Tab['marks']): void;
}

export function tabBar(label: string, onSelect: (id: string) => void): TabBar {
  const bar = element('div', { className: 'tabs', role: 'tablist', 'aria-label': label });
  let ids = '';
  let selected = '';
  const all = (): HTMLElement[] => [...bar.querySelectorAll<HTMLElement>('.tab')];
  const refresh = (): void => {
    for (const tab of all()) {
      const isSelected = tab.dataset['id'] === selected;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
    }
  };
  const setMark = (tab: HTMLElement, marks: Tab['marks']): void => {
    tab.querySelector('.badge')?.remove();
    if (marks !== undefined) tab.append(element('span', { className: marks.className }, marks.text));
  };
  bar.addEventListener('keydown', (event) => {
    const tabs = all();
    const at = tabs.indexOf(event.target as HTMLElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length];
    tab?.focus();
    tab?.click();
  });
  return {
    element: bar,
    setTabs(tabs) {
      const wanted = tabs.map(({ id }) => id).join();
      if (wanted !== ids) {
        ids = wanted;
        fill(
          bar,
          tabs.map(({ id, title }) =>
            element(
              'button',
              { className: 'tab', role: 'tab', type: 'button', 'data-id': id, onclick: () => onSelect(id) },
              title,
            ),
          ),
        );
      }
      for (const tab of all()) setMark(tab, tabs.find(({ id }) => id === tab.dataset['id'])?.marks);
      refresh();
    },
    select(id) {
      selected = id;
      refresh();
    },
    mark(id, marks) {
      const tab = all().find((one) => one.dataset['id'] === id);
      if (tab !== undefined) setMark(tab, marks);
    },
  };
}
