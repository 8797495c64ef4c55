// Fields with labels. The name of each is the path of its value, so that findings and the focus find it again.
import { type Child, element } from '../../element.ts';

export function textField(
  label: string,
  path: string,
  value: string,
  changed: (value: string) => void,
  members: Readonly<Record<string, unknown>> = {},
): HTMLElement {
  const input = element('input', {
    type: 'text',
    name: path,
    value,
    spellcheck: false,
    autocomplete: 'off',
    onchange: () => changed(input.value.trim()),
    ...members,
  });
  return field(label, input, path);
}

export function choiceField<V extends string>(
  label: string,
  path: string,
  options: Readonly<Partial<Record<V, string>>>,
  value: string,
  changed: (value: V) => void,
): HTMLElement {
  // A value in the text that is not among the choices stays chosen until the user changes it.
  const all: Readonly<Record<string, string>> =
    value in options ? ({ ...options } as Record<string, string>) : { [value]: value, ...options };
  const select = element(
    'select',
    { name: path, onchange: () => changed(select.value as V) },
    Object.entries(all).map(([key, text]) => element('option', { value: key, selected: key === value }, text)),
  );
  return field(label, select, path);
}

/** A choice of several names, in the order in which they were chosen. */
export function manyField(
  label: string,
  path: string,
  names: readonly string[],
  chosen: readonly string[],
  changed: (chosen: string[]) => void,
): HTMLElement {
  const boxes = names.map((name) => {
    const box = element('input', {
      type: 'checkbox',
      name: `${path}.${name}`,
      checked: chosen.includes(name),
      onchange: () => changed(box.checked ? [...new Set([...chosen, name])] : chosen.filter((one) => one !== name)),
    });
    return element('label', { className: 'check' }, box, name);
  });
  return element(
    'fieldset',
    { className: 'field' },
    element('legend', {}, label),
    element('div', { className: 'checks' }, boxes),
    fieldError(path),
  );
}

export function button(
  text: string,
  onclick: () => void,
  members: Readonly<Record<string, unknown>> = {},
): HTMLElement {
  return element('button', { type: 'button', className: 'button small', onclick, ...members }, text);
}

function field(label: string, input: HTMLElement, path: string): HTMLElement {
  return element('label', { className: 'field' }, label, input, fieldError(path));
}

/** The place for findings about the field. */
function fieldError(path: string): Child {
  return element('span', { className: 'complaint', 'data-path': path, hidden: true });
}
