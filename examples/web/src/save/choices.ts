// How images are made: the fields of the task at hand.
import { element, fill } from '../element.ts';
import type { Choices, ProjectStore, Task } from '../project.ts';
import { save as texts } from '../texts/save.ts';

type TextChoice = 'join' | 'validUntil' | 'artifactsUrl' | 'releaseImage' | 'version' | 'device' | 'kargs';

/** Fills `host` again when the task changes; fields keep the text typed meanwhile. */
export function mountChoices(host: HTMLElement, project: ProjectStore): void {
  const text = (name: TextChoice, label: string, type = 'text'): HTMLElement => {
    const input = element('input', { type, value: shown(name), autocomplete: 'off', spellcheck: false });
    input.addEventListener('change', () => project.choose({ [name]: choiceValue(name, input.value) }));
    return element('label', { className: 'field' }, label, input);
  };
  const select = <N extends keyof Choices>(
    name: N,
    label: string,
    options: Readonly<Record<string, string>>,
  ): HTMLElement => {
    const made = Object.entries(options).map(([value, title]) => element('option', { value }, title));
    const input = element('select', {}, made);
    input.value = project.get().choices[name];
    input.addEventListener('change', () => project.choose({ [name]: input.value }));
    return element('label', { className: 'field' }, label, input);
  };
  const shown = (name: TextChoice): string => {
    const value = project.get().choices[name];
    return name === 'validUntil' ? localTime(value) : value;
  };
  const form = (): HTMLElement => select('form', texts.form, texts.forms);
  const artifacts = (): HTMLElement => text('artifactsUrl', texts.artifactsUrl, 'url');
  const fields: Readonly<Record<Task, () => HTMLElement[]>> = {
    nodes: () => [
      form(),
      select('images', texts.images, texts.imagesOf),
      select('join', texts.join, texts.joins),
      text('validUntil', texts.validUntil, 'datetime-local'),
      ...(project.get().choices.form === 'iso' ? [] : [artifacts()]),
    ],
    cluster: () => [
      text('releaseImage', texts.releaseImage),
      text('version', texts.version),
      form(),
      ...(project.get().choices.form === 'iso' ? [] : [artifacts()]),
    ],
    live: () => [
      select('ignitionFor', texts.ignitionFor, texts.ignitionsFor),
      text('device', texts.device),
      text('kargs', texts.kargs),
    ],
  };
  let before = '';
  project.subscribe(({ task, choices }) => {
    const key = `${task} ${choices.form}`;
    const isFocused = host.contains(document.activeElement);
    if (key === before && (isFocused || host.firstChild !== null)) return;
    before = key;
    fill(host, fields[task]());
  });
}

function localTime(iso: string): string {
  if (iso === '') return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function choiceValue(name: TextChoice, value: string): string {
  if (name !== 'validUntil' || value === '') return value.trim();
  return new Date(value).toISOString().replace('.000Z', 'Z');
}
