// The built outputs, one row each, with the ways to save that this browser has.
import type { PageContext } from '../context.ts';
import { type Child, element, fill } from '../element.ts';
import { saveBlob } from '../files.ts';
import { save as texts } from '../texts/save.ts';
import { sizeText } from '../texts/sizes.ts';
import type { BuiltFacts, OutputFacts } from '../worker/facts.ts';
import type { InPlace } from './in-place.ts';
import type { WorkArea } from './work-area.ts';

/** Names that only some browsers have. */
interface SavingWindow {
  showSaveFilePicker?(options: object): Promise<FileSystemFileHandle>;
  showDirectoryPicker?(options: object): Promise<FileSystemDirectoryHandle>;
}

const browser = window as unknown as SavingWindow;

export function outputRows(built: BuiltFacts, context: PageContext, work: WorkArea, place: InPlace): Child[] {
  const { outputs, notes, expires } = built;
  const all = async (): Promise<void> => {
    const folder = await browser.showDirectoryPicker?.({ mode: 'readwrite' });
    if (folder === undefined) return;
    await work.run(texts.saveAll, async (options) => {
      for (const { name, position } of outputs) {
        const handle = await folder.getFileHandle(name, { create: true });
        await context.planner.stream(position, handle, options);
      }
      work.say(texts.savedAll(outputs.length));
    });
  };
  return [
    element(
      'ul',
      { className: 'outputs' },
      outputs.map((output) => row(output, context, work, place)),
    ),
    outputs.length > 1 &&
      browser.showDirectoryPicker !== undefined &&
      element('button', { className: 'button', type: 'button', onclick: () => unlessCancelled(all) }, texts.saveAll),
    ...[...notes, ...(expires === undefined ? [] : [texts.expires(expires)])].map((note) =>
      element('p', { className: 'note' }, note),
    ),
  ];
}

function row(output: OutputFacts, context: PageContext, work: WorkArea, place: InPlace): HTMLElement {
  const { name, size, changed, position } = output;
  const { planner } = context;
  const digest = element('code', { className: 'digest', hidden: true });
  const showDigest = (): Promise<void> =>
    work.run(texts.digest, async (options) => {
      fill(digest, await planner.digest(position, options));
      digest.hidden = false;
    });
  const title = element(
    'div',
    { className: 'grow' },
    element('strong', {}, name),
    element(
      'p',
      { className: 'quiet small' },
      [sizeText(size), ...(changed === undefined ? [] : [texts.changed(sizeText(changed))])].join(', '),
    ),
    digest,
  );
  const button = (label: string, onclick: () => unknown, className = ''): HTMLElement =>
    element(
      'button',
      { className: `button small ${className}`, type: 'button', onclick, 'aria-label': `${label}: ${name}` },
      label,
    );
  return element(
    'li',
    { className: 'output' },
    title,
    element(
      'div',
      { className: 'row' },
      button(texts.download, () => unlessCancelled(() => saveOne(output, context, work)), 'primary save'),
      button(texts.digest, showDigest, 'show-digest'),
    ),
    place.offer(output),
  );
}

/** With a picker if there is one, else as a download of slices. */
async function saveOne({ name, position }: OutputFacts, { planner }: PageContext, work: WorkArea): Promise<void> {
  const handle = await browser.showSaveFilePicker?.({ suggestedName: name });
  await work.run(name, async (options) => {
    if (handle === undefined) saveBlob(name, await planner.blob(position, options));
    else await planner.stream(position, handle, options);
    work.say(texts.saved(handle?.name ?? name));
  });
}

/** Closing a picker without a choice is not a failure. */
async function unlessCancelled(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
