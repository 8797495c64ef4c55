// A view on the page: requests blocks from the worker after every change of its inputs, shows them, and marks new parts.
import { element, fill } from '../element.ts';
import type { Panel, PanelContext } from '../panels.ts';
import { BOOTS } from '../texts/boots.ts';
import { VIEW } from '../texts/views.ts';
import type { ViewName } from '../worker/questions/view.ts';
import type { SecretDisplay, View } from './blocks.ts';
import { type Marks, NO_MARKS } from './changes.ts';
import { chosenHost, hostPicker } from './host-picker.ts';
import { looks } from './looks.ts';
import { showBlocks } from './show-blocks.ts';
import { keepFolding } from './show-tree.ts';

export interface ViewPanel {
  readonly id: ViewName;
  readonly title: string;
  /** Shows one host at a time. */
  readonly isOfHost?: boolean | undefined;
  /** Simulates the boots of a machine whose cards the user types. */
  readonly hasCards?: boolean | undefined;
}

export function viewPanel({ id, title, isOfHost = false, hasCards = false }: ViewPanel): Panel {
  return { id, title, mount: (host, context) => mountView(host, context, { id, title, isOfHost, hasCards }) };
}

function mountView(host: HTMLElement, context: PanelContext, { id, isOfHost, hasCards }: ViewPanel): () => void {
  const news = element('div', { className: 'news', role: 'status' });
  const content = element('div', { className: 'stack' });
  let secrets: SecretDisplay['secrets'] = 'hidden';
  let shown: { readonly look: string; readonly text: string } | undefined;
  let asked = 0;
  let isOver = false;

  const secretsButton = element('button', {
    type: 'button',
    className: 'button plain small',
    hidden: true,
    onclick: () => {
      secrets = secrets === 'hidden' ? 'shown' : 'hidden';
      void refresh();
    },
  });
  let areTyped = false;
  const typed = (): void => {
    areTyped = true;
    void refresh();
  };
  const cards = hasCards ? cardsField(typed) : undefined;
  const picker = isOfHost ? hostPicker(context) : undefined;

  const refresh = async (): Promise<void> => {
    const number = ++asked;
    const position = isOfHost ? chosenHost.get() : 0;
    const look = `${id}/${position}`;
    const question = { view: id, position, cards: cards?.field.value ?? '', secrets };
    let view: View;
    try {
      view = await context.planner.ask('view', question);
    } catch (error) {
      const text = VIEW.failed(error instanceof Error ? error.message : String(error));
      view = { blocks: [{ kind: 'sentence', tone: 'error', text }], hidesSecrets: false };
    }
    if (number !== asked) return;
    const text = JSON.stringify(view);
    if (shown?.look === look && shown.text === text) return;
    if (shown !== undefined && shown.look !== look) looks.end(shown.look);
    shown = { look, text };
    secretsButton.hidden = secrets === 'hidden' && !view.hidesSecrets;
    fill(secretsButton, secrets === 'hidden' ? VIEW.showSecrets : VIEW.hideSecrets);
    // Showing secrets is not a change of the config.
    const marks = secrets === 'shown' ? NO_MARKS : looks.look(look, view.blocks);
    show(view, marks, look);
  };

  const show = (view: View, marks: Marks, look: string): void => {
    const { added, changed, removed } = marks;
    const seen = element(
      'button',
      {
        type: 'button',
        className: 'button plain small',
        onclick: () => {
          looks.end(look);
          show(view, NO_MARKS, look);
        },
      },
      VIEW.seen,
    );
    const hasNews = added.size + changed.size > 0;
    const texts = [
      ...(hasNews ? [VIEW.news(added.size, changed.size)] : []),
      ...(removed.length === 0 ? [] : [VIEW.removed(removed.join(', '))]),
    ];
    fill(news, texts.length === 0 ? [] : [element('p', { className: 'note changed' }, texts.join(' '), ' ', seen)]);
    keepFolding(content, () => fill(content, showBlocks(view.blocks, marks)));
  };

  fill(host, picker?.element, cards?.element, element('div', { className: 'actions' }, secretsButton), news, content);
  fill(content, element('p', { className: 'quiet' }, VIEW.working));
  // The cards are those of the host until the user types others.
  const update = async (): Promise<void> => {
    if (cards !== undefined && !areTyped) {
      const position = chosenHost.get();
      const text = await context.planner.ask('hostCards', { position });
      if (isOver || areTyped || position !== chosenHost.get()) return;
      cards.field.value = text;
    }
    await refresh();
  };
  const choose = (): void => {
    areTyped = false;
    void update();
  };
  const stops = [
    context.plan.subscribe(() => void update()),
    context.image.subscribe(() => void update()),
    ...(isOfHost ? [chosenHost.subscribe(choose)] : []),
  ];

  return () => {
    isOver = true;
    asked += 1;
    for (const stop of stops) stop();
    picker?.stop();
    if (shown !== undefined) looks.end(shown.look);
  };
}

function cardsField(changed: () => void): { readonly element: HTMLElement; readonly field: HTMLTextAreaElement } {
  const field = element('textarea', { rows: 3, spellcheck: false, oninput: changed, 'aria-describedby': 'cards-help' });
  const help = element('span', { className: 'quiet', id: 'cards-help' }, BOOTS.inputHelp);
  return { field, element: element('label', { className: 'field' }, BOOTS.inputLabel, field, help) };
}
