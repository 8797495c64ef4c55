// The section "Image": the base image and its properties.
import { openAddressPage } from '../address.ts';
import type { PageContext } from '../context.ts';
import { element, fill } from '../element.ts';
import { pickFile } from '../files.ts';
import type { Base } from '../project.ts';
import { image as texts } from '../texts/base.ts';
import { sizeText } from '../texts/sizes.ts';
import type { ImageFacts } from '../worker/facts.ts';

const SAMPLE = '2025-04.x86_64';
/** The name of the sample, as the command line would choose it. */
const SAMPLE_NAME = 'sample.iso';

/** Names of Chromium's picker, which gives a file that can be written to. */
interface PickerWindow {
  showOpenFilePicker?(options: object): Promise<FileSystemFileHandle[]>;
}

export function mountImage(host: HTMLElement, context: PageContext): void {
  const { project, image, imageError } = context;
  const content = element('div', { className: 'content' });
  fill(host, content);
  const show = (): void => {
    const { base } = project.get();
    const [facts, error] = [image.get(), imageError.get()];
    host.closest('.card')?.classList.toggle('done', facts !== undefined);
    if (base === undefined) fill(content, dropZone(context));
    else if (error !== undefined) {
      const note = element('div', { className: 'note bad', role: 'alert' }, `${base.name}: ${error}`);
      fill(content, note, dropZone(context));
    } else if (facts === undefined) fill(content, element('p', { className: 'quiet', role: 'status' }, texts.opening));
    else fill(content, described(facts, context));
  };
  let before: Base | undefined;
  project.subscribe(({ base }) => {
    if (base === before && content.firstChild !== null) return;
    before = base;
    show();
  });
  image.subscribe(show);
  imageError.subscribe(show);
}

function dropZone(context: PageContext): HTMLElement {
  const { project, addressField } = context;
  const button = (label: string, onclick: () => unknown, className = 'button'): HTMLElement =>
    element('button', { className, type: 'button', onclick }, label);
  const zone = element(
    'div',
    { className: 'drop empty' },
    element('strong', {}, texts.drop),
    element('p', {}, texts.dropHint),
    element(
      'div',
      { className: 'row' },
      button(
        texts.pick,
        async () => {
          const base = await pickBase();
          if (base !== undefined) project.change({ base });
        },
        'button primary',
      ),
      button(texts.sample, () => project.change({ base: sampleBase() })),
      addressField === undefined && button(texts.address, () => openAddressPage(context)),
    ),
  );
  return element('div', { className: 'stack' }, addressField?.(), zone);
}

function sampleBase(): Base {
  return { name: SAMPLE_NAME, size: 0, origin: { kind: 'sample', sample: SAMPLE } };
}

async function pickBase(): Promise<Base | undefined> {
  const { showOpenFilePicker } = window as unknown as PickerWindow;
  if (showOpenFilePicker === undefined) {
    const file = await pickFile('.iso');
    return file && fileBase(file);
  }
  try {
    const [handle] = await showOpenFilePicker.call(window, {});
    return handle && fileBase(await handle.getFile(), handle);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

/** A file that was chosen or dropped. */
export function fileBase(file: File, handle?: FileSystemFileHandle): Base {
  return { name: file.name, size: file.size, origin: { kind: 'file', file, ...(handle && { handle }) } };
}

function described(facts: ImageFacts, { project, fetchLog }: PageContext): HTMLElement {
  const { volumeId, architecture, size, initrd, kargs, pristine } = facts;
  const state = pristine === undefined ? texts.unknown : pristine ? texts.pristine : texts.customized;
  const rows: [string, string][] = [
    [texts.names.architecture, architecture ?? texts.unknown],
    [texts.names.size, sizeText(size)],
    [
      texts.names.area,
      initrd === undefined ? texts.unknown : texts.areaUse(sizeText(initrd.free), sizeText(initrd.length)),
    ],
    [
      texts.names.kargs,
      kargs === undefined ? texts.noKargs : texts.areaUse(sizeText(kargs.free), sizeText(kargs.used + kargs.free)),
    ],
    [texts.names.state, state],
  ];
  const change = element(
    'button',
    { className: 'button small', type: 'button', onclick: () => project.change({ base: undefined }) },
    texts.change,
  );
  return element(
    'div',
    { className: 'stack' },
    element(
      'div',
      { className: 'row' },
      element(
        'div',
        { className: 'grow' },
        element('h3', {}, facts.name),
        element('p', { className: 'quiet small' }, volumeId),
      ),
      change,
    ),
    element(
      'dl',
      { className: 'image-facts' },
      rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    project.get().base?.origin.kind === 'address' && fetchLog,
  );
}
