// Adds an interface: a kind, its few required fields, and a button.
import type { BondMode, NetworkForm } from '@coreiso/nmstate/forms';
import { element, fill } from '../../element.ts';
import { HOST_FORM } from '../../texts/host-form.ts';
import { button, choiceField, manyField, textField } from './fields.ts';
import { addInterface, freeName, freePorts, type NewInterface } from './network-edits.ts';

type Kind = NewInterface['type'];

export function showAdder(
  state: NetworkForm,
  cards: readonly string[],
  set: (step: (network: NetworkForm) => NetworkForm) => void,
): HTMLElement {
  const fields = element('div', { className: 'fields' });
  const problem = element('p', { className: 'complaint', role: 'status' });
  let kind: Kind = 'ethernet';
  let name = '';
  let ports: readonly string[] = [];
  let mode: BondMode = 'active-backup';
  let base = '';
  let id = '';

  const free = freePorts(state, cards);
  const names = [...new Set([...cards, ...state.interfaces.map((one) => one.name)])].filter((one) => one !== '');

  const show = (): void => {
    fill(problem);
    const content = [
      choiceField(HOST_FORM.kindLabel, 'add.kind', HOST_FORM.kinds, kind, (next: Kind) => {
        kind = next;
        prepare();
      }),
    ];
    if (kind !== 'vlan')
      content.push(
        textField(HOST_FORM.name, 'add.name', name, (text) => {
          name = text;
        }),
      );
    if (kind === 'bond') {
      const modes = HOST_FORM.bondModes;
      content.push(
        choiceField(HOST_FORM.mode, 'add.mode', modes, mode, (next: BondMode) => {
          mode = next;
        }),
      );
    }
    if (kind === 'bond' || kind === 'linux-bridge') content.push(portsField());
    if (kind === 'vlan') {
      const bases = Object.fromEntries(names.map((one) => [one, one]));
      content.push(
        choiceField(HOST_FORM.vlanBase, 'add.base', bases, base, (next: string) => {
          base = next;
        }),
        textField(
          HOST_FORM.vlanId,
          'add.id',
          id,
          (text) => {
            id = text;
          },
          { inputMode: 'numeric' },
        ),
      );
    }
    fill(fields, content);
  };

  const portsField = (): HTMLElement => {
    const holder = element('div', {});
    const refill = (): void => fill(holder, manyField(HOST_FORM.ports, 'add.ports', free, ports, choose));
    const choose = (chosen: string[]): void => {
      ports = chosen;
      const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement.name : '';
      refill();
      holder.querySelector<HTMLInputElement>(`[name="${CSS.escape(focused)}"]`)?.focus();
    };
    refill();
    return holder;
  };

  /** Free names, and the topmost interface as the default base. */
  const prepare = (): void => {
    const unused = cards.find((card) => card !== '' && !state.interfaces.some((one) => one.name === card));
    name = kind === 'ethernet' ? (unused ?? freeName(state, 'eth')) : freeName(state, kind === 'bond' ? 'bond' : 'br');
    ports =
      kind === 'bond'
        ? free.filter((one) => !state.interfaces.some(({ name: own, type }) => own === one && type !== 'ethernet'))
        : [];
    base = state.interfaces.at(-1)?.name ?? names[0] ?? '';
    show();
  };

  const add = (): void => {
    const needsPorts = (kind === 'bond' || kind === 'linux-bridge') && ports.length === 0;
    const needsBase = kind === 'vlan' && base === '';
    if (needsPorts || needsBase) fill(problem, needsPorts ? HOST_FORM.needsPorts : HOST_FORM.needsBase);
    else set((current) => addInterface(current, added()));
  };
  const added = (): NewInterface => {
    if (kind === 'bond') return { type: kind, name, ports, mode };
    if (kind === 'vlan') return { type: kind, base, id: id === '' ? Number.NaN : Number(id) };
    return kind === 'linux-bridge' ? { type: kind, name, ports } : { type: kind, name };
  };

  prepare();
  const actions = element('div', {}, button(HOST_FORM.add, add, { className: 'button small primary', name: 'add.do' }));
  return element('div', { className: 'adder stack' }, fields, problem, actions);
}
