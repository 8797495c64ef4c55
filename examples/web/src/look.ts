// The section "Preview": tabs of views, each loaded when it is first shown.
import { commandLine } from './command-line.ts';
import { lookCommand } from './commands.ts';
import { element, fill } from './element.ts';
import type { PanelContext, PanelEntry } from './panels.ts';
import { tabBar } from './tabs.ts';
import { look as texts } from './texts/look.ts';
import { chosenHost } from './views/host-picker.ts';

/** Shows one panel at a time below its tabs; returns a function that removes all of it. */
export function mountTabs(host: HTMLElement, entries: readonly PanelEntry[], context: PanelContext): () => void {
  const { project, plan, image } = context;
  const bar = tabBar(texts.tabs, (id) => void show(entries.find((entry) => entry.id === id)));
  const content = element('div', { className: 'content view', role: 'tabpanel', tabIndex: 0 });
  const command = commandLine();
  const foot = element('div', { className: 'content foot', hidden: true }, command.element);
  const empty = element(
    'div',
    { className: 'empty' },
    element('strong', {}, texts.empty),
    element('p', {}, texts.emptyHint),
  );
  fill(host, empty, bar.element, content, foot);
  let shown: PanelEntry | undefined;
  let unmount: () => void = () => undefined;

  const showCommand = (): void => {
    const { macs = [] } = plan.get()?.hosts[chosenHost.get()] ?? {};
    const { architecture } = image.get() ?? {};
    const text = shown && lookCommand(project.get(), shown.id, { macs, architecture });
    command.show([text]);
    foot.hidden = text === undefined;
  };
  const show = async (entry: PanelEntry | undefined): Promise<void> => {
    if (entry === shown) return;
    shown = entry;
    unmount();
    unmount = () => undefined;
    showCommand();
    if (entry === undefined) return fill(content);
    bar.select(entry.id);
    content.setAttribute('aria-label', entry.title);
    fill(content, element('p', { className: 'quiet', role: 'status' }, texts.loading));
    const panel = await entry.load();
    if (shown !== entry) return;
    const inside = element('div', { className: 'stack', id: `view-${panel.id}` });
    fill(content, inside);
    unmount = panel.mount(inside, context);
  };

  const refresh = (): void => {
    const { base, documents } = project.get();
    // Views ask the planner, so it is loaded only for them.
    const isEmpty = base === undefined && Object.values(documents).every((text) => text === '');
    empty.hidden = !isEmpty;
    bar.element.hidden = isEmpty;
    content.hidden = isEmpty;
    const visible = isEmpty ? [] : entries.filter((entry) => entry.isShown?.(context) ?? true);
    bar.setTabs(visible);
    if (shown === undefined || !visible.includes(shown)) void show(visible[0]);
    showCommand();
  };
  const stops = [
    project.subscribe(refresh),
    plan.subscribe(refresh),
    image.subscribe(refresh),
    chosenHost.subscribe(showCommand),
  ];
  return () => {
    for (const stop of stops) stop();
    unmount();
  };
}
