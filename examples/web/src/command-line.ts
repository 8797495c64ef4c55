// Shows the equivalent commands, with a button that copies them.
import { element, fill } from './element.ts';
import { frame as texts } from './texts/frame.ts';

export interface CommandLine {
  readonly element: HTMLElement;
  show(lines: readonly (string | undefined)[]): void;
}

export function commandLine(): CommandLine {
  const code = element('code', {});
  const button = element('button', { className: 'button plain small', type: 'button' }, texts.copy);
  const status = element('span', { className: 'unseen', role: 'status' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent ?? '');
    fill(status, texts.copied);
    fill(button, texts.copied);
    setTimeout(() => fill(button, texts.copy), 1500);
  });
  const head = element(
    'div',
    { className: 'row' },
    element('span', { className: 'quiet small grow' }, texts.command),
    button,
    status,
  );
  const box = element('pre', { className: 'code wrapped', tabIndex: 0, 'aria-label': texts.command }, code);
  return {
    element: element('div', { className: 'command' }, head, box),
    show: (lines) => fill(code, lines.filter((one) => one !== undefined && one !== '').join('\n')),
  };
}
