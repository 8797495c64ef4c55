// The menu of the project: load, save and forget it.
import { withoutSecrets } from '@coreiso/diagnostics';
import type { PageContext } from './context.ts';
import { element, fill } from './element.ts';
import { pickFile, saveBlob } from './files.ts';
import { EMPTY } from './project.ts';
import { parseProject, projectText, withoutSecretsOf } from './project-file.ts';
import { documents } from './texts/documents.ts';
import { menu as texts } from './texts/menu.ts';
import { looks } from './views/looks.ts';

export interface ProjectMenu {
  readonly element: HTMLElement;
  /** Loads a project from a file. */
  open(file: File): Promise<void>;
}

export function projectMenu({ project, planner }: PageContext): ProjectMenu {
  const status = element('p', { className: 'small', role: 'status' });
  const item = (label: string, onclick: () => unknown, className = ''): HTMLElement =>
    element('button', { className: `button ${className}`, type: 'button', onclick }, label);
  const save = (isComplete: boolean): void => {
    const data = project.get();
    const { project: clean, hidden } = withoutSecretsOf(data, (text) => String(withoutSecrets(text)));
    const names = hidden.map((kind) => documents.names[kind]).join(', ');
    const blob = new Blob([projectText(isComplete ? data : clean)], { type: 'application/json' });
    saveBlob('project.coreiso.json', blob);
    fill(status, hidden.length === 0 ? texts.noSecrets : isComplete ? texts.withSecrets(names) : texts.without(names));
  };
  const open = async (file: File): Promise<void> => {
    try {
      project.change(parseProject(await file.text(), file.name));
      fill(status, '');
      details.open = false;
    } catch (error) {
      fill(status, error instanceof Error ? error.message : String(error));
      details.open = true;
    }
  };
  const details = element(
    'details',
    { className: 'menu', id: 'project' },
    element('summary', { className: 'button' }, texts.title),
    element(
      'div',
      { className: 'menu-content stack' },
      item(texts.open, async () => {
        const file = await pickFile('.json');
        if (file !== undefined) await open(file);
      }),
      item(texts.save, () => save(true)),
      item(texts.saveWithout, () => save(false)),
      item(
        texts.forget,
        async () => {
          project.change({ ...EMPTY, base: undefined });
          await planner.close();
          looks.forget();
          fill(status, texts.forgotten);
        },
        'danger',
      ),
      status,
      element('p', { className: 'quiet small' }, texts.about),
    ),
  );
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    details.open = false;
    details.querySelector('summary')?.focus();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !details.contains(target)) details.open = false;
  });
  return { element: details, open };
}
