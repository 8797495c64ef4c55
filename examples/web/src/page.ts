// The only layout: image and documents on the left, their results and the section "Save" on the right.
import { commandLine } from './command-line.ts';
import { checkCommand } from './commands.ts';
import type { PageContext } from './context.ts';
import { mountDocuments } from './documents/documents.ts';
import { acceptDrops } from './drop.ts';
import { type Child, element, fill } from './element.ts';
import { mountImage } from './image/image.ts';
import { mountTabs } from './look.ts';
import { projectMenu } from './menu.ts';
import type { Task } from './project.ts';
import { mountSave } from './save/save.ts';
import { frame as texts } from './texts/frame.ts';
import { VIEWS } from './views/index.ts';

const TASKS: readonly Task[] = ['nodes', 'cluster', 'live'];

export function showPage(host: HTMLElement, context: PageContext): void {
  const [image, documents, look, save] = [element('div'), element('div'), element('div'), element('div')];
  const check = commandLine();
  const menu = projectMenu(context);
  const hint = element('p', { className: 'hint quiet' });
  fill(
    host,
    element('a', { className: 'button skip', href: '#documents' }, texts.skip),
    element(
      'header',
      { className: 'bar' },
      element('h1', { className: 'brand' }, element('img', { src: './icon.svg', alt: '' }), texts.title),
      tasks(context),
      menu.element,
    ),
    element(
      'main',
      {},
      hint,
      element(
        'div',
        { className: 'page' },
        element(
          'div',
          { className: 'column' },
          card(1, 'image', image),
          card(2, 'documents', documents, element('div', { className: 'content foot' }, check.element)),
        ),
        element('div', { className: 'column' }, card(3, 'look', look), card(4, 'save', save)),
      ),
    ),
    element('footer', { className: 'page-end quiet small' }, texts.claim),
  );
  mountImage(image, context);
  mountDocuments(documents, context);
  mountTabs(look, VIEWS, context);
  mountSave(save, context);
  acceptDrops(document.body, context, menu.open);
  context.project.subscribe((project) => {
    fill(hint, texts.taskHints[project.task]);
    check.show([checkCommand(project)]);
    check.element.parentElement?.toggleAttribute('hidden', checkCommand(project) === '');
  });
}

function tasks({ project }: PageContext): HTMLElement {
  const choice = element(
    'fieldset',
    { className: 'choice' },
    element('legend', { className: 'unseen' }, texts.tasks.label),
  );
  for (const task of TASKS) {
    const input = element('input', {
      type: 'radio',
      name: 'task',
      value: task,
      onchange: () => project.change({ task }),
    });
    project.subscribe((current) => {
      input.checked = current.task === task;
    });
    choice.append(element('label', {}, input, texts.tasks[task]));
  }
  return choice;
}

function card(step: number, id: keyof typeof texts.sections, ...content: Child[]): HTMLElement {
  const heading = element('h2', { id: `${id}-title` }, texts.sections[id]);
  const number = element('span', { className: 'step', 'aria-hidden': 'true' }, String(step));
  const header = element('header', {}, number, heading);
  return element('section', { className: 'card', id, 'aria-labelledby': `${id}-title` }, header, ...content);
}
