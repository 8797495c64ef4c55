// A base at an address: only base.html may fetch from other servers, and it shows the requests.
import type { PageContext } from './context.ts';
import { element, fill } from './element.ts';
import type { Base } from './project.ts';
import { address as texts } from './texts/address.ts';
import { sizeText } from './texts/sizes.ts';
import { serveCalls } from './worker/calls.ts';

interface AddressReader {
  /** Opens an address and answers reads of it at the port. */
  read(base: Base): Promise<{ readonly port: MessagePort; readonly size: number }>;
  /** The requests so far. */
  readonly log: HTMLElement;
  /** The field for the address. */
  field(context: PageContext): HTMLElement;
}

export function addressReader(): AddressReader {
  const log = element('p', { className: 'small quiet', role: 'status', id: 'fetched' });
  let [requests, bytes] = [0, 0];
  return {
    log,
    async read({ origin }) {
      if (origin.kind !== 'address') throw new Error(texts.invalid);
      const { httpSource } = await import('@coreiso/iso/http');
      [requests, bytes] = [0, 0];
      const { host } = new URL(origin.url);
      const fetch = async (url: string, init: RequestInit): Promise<Response> => {
        const answer = await globalThis.fetch(url, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' });
        requests += 1;
        bytes += Number(answer.headers.get('content-length') ?? 0);
        fill(log, texts.fetched(requests, sizeText(bytes), host));
        return answer;
      };
      const source = await httpSource(origin.url, { fetch, retries: 2 }).catch((error: unknown) => {
        throw new Error(texts.failed(error instanceof Error ? error.message : String(error)));
      });
      const { port1, port2 } = new MessageChannel();
      serveCalls(port1, {
        read: ({ offset, length }: { offset: number; length: number }, { signal }) =>
          source.read(offset, length, signal),
      });
      port1.start();
      return { port: port2, size: source.size };
    },
    field({ project }) {
      const input = element('input', { type: 'url', required: true, placeholder: texts.placeholder, id: 'address' });
      const form = element(
        'form',
        { className: 'row' },
        element('label', { className: 'field grow' }, texts.label, input),
        element('button', { className: 'button primary', type: 'submit' }, texts.open),
      );
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        const name = new URL(input.value).pathname.split('/').at(-1) || 'live.iso';
        project.change({ base: { name, size: 0, origin: { kind: 'address', url: input.value } } });
      });
      return element('div', { className: 'stack' }, form, element('p', { className: 'small quiet' }, texts.hint));
    },
  };
}

const READY = 'coreiso: ready for a project';

/** Opens the page that may fetch, and passes the project to it when it is ready. */
export function openAddressPage({ project }: PageContext): void {
  const page = window.open('base.html');
  const give = (event: MessageEvent): void => {
    if (event.source !== page || event.origin !== location.origin || event.data !== READY) return;
    window.removeEventListener('message', give);
    const { base: _, revision: __, ...data } = project.get();
    page?.postMessage(data, location.origin);
  };
  window.addEventListener('message', give);
}

/** Receives the project of the page that opened this one. */
export function takeProject({ project }: PageContext): void {
  const { opener } = window;
  if (opener === null) return;
  const take = ({ source, origin, data }: MessageEvent): void => {
    if (source !== opener || origin !== location.origin) return;
    window.removeEventListener('message', take);
    project.change(data);
  };
  window.addEventListener('message', take);
  opener.postMessage(READY, location.origin);
}
