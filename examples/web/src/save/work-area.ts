import { element, fill } from '../element.ts';
import { save as texts } from '../texts/save.ts';
import type { CallOptions } from '../worker/calls.ts';

/** Shows the progress and the result of long work, with a button to cancel. */
export interface WorkArea {
  readonly element: HTMLElement;
  run(title: string, work: (options: CallOptions) => Promise<void>): Promise<void>;
  say(text: string): void;
}

export function workArea(): WorkArea {
  const bar = element('progress', { max: 1, 'aria-label': texts.building });
  const title = element('span', { className: 'grow small' });
  const cancel = element('button', { className: 'button small', type: 'button' }, texts.cancel);
  const running = element(
    'div',
    { className: 'stack tight work', hidden: true },
    element('div', { className: 'row' }, title, cancel),
    bar,
  );
  const message = element('p', { role: 'status', className: 'small' });
  let controller: AbortController | undefined;
  cancel.addEventListener('click', () => controller?.abort());
  return {
    element: element('div', { className: 'stack tight' }, running, message),
    say: (text) => fill(message, text),
    async run(name, work) {
      controller?.abort();
      const own = new AbortController();
      controller = own;
      const { signal } = own;
      fill(title, name);
      fill(message, '');
      message.classList.remove('bad');
      bar.removeAttribute('value');
      running.hidden = false;
      try {
        await work({
          signal,
          onProgress: ({ done, total }) => {
            if (controller === own) bar.value = total === 0 ? 1 : done / total;
          },
        });
      } catch (error) {
        // Later work has the area to itself.
        if (controller !== own) return;
        const isCancelled = signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
        message.classList.toggle('bad', !isCancelled);
        fill(message, isCancelled ? texts.cancelled : error instanceof Error ? error.message : String(error));
      } finally {
        if (controller === own) running.hidden = true;
      }
    },
  };
}
