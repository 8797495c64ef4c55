// Saves into the base's own file, and undoes it. Afterwards the base is a different one: it is opened again.
import type { PageContext } from '../context.ts';
import { element } from '../element.ts';
import { fileBase } from '../image/image.ts';
import { save as texts } from '../texts/save.ts';
import { sizeText } from '../texts/sizes.ts';
import type { OutputFacts } from '../worker/facts.ts';
import type { WorkArea } from './work-area.ts';

/** Only some browsers ask whether a page may write. */
interface PermissionHandle {
  requestPermission?(options: { mode: 'readwrite' }): Promise<PermissionState>;
}

export interface InPlace {
  /** The button that undoes the last save; hidden if there is none. */
  readonly undo: HTMLElement;
  /** The button that saves an output; undefined if it is not an edit of a writable file. */
  offer(output: OutputFacts): HTMLElement | undefined;
}

export function inPlace({ project, planner }: PageContext, work: WorkArea): InPlace {
  let last: FileSystemFileHandle | undefined;
  const undo = element('button', { className: 'button small', type: 'button', hidden: true }, texts.undo);
  const handleNow = (): FileSystemFileHandle | undefined => {
    const { origin } = project.get().base ?? {};
    return origin?.kind === 'file' ? origin.handle : undefined;
  };
  /** Parts read before the file changed can no longer be read. */
  const openAgain = async (handle: FileSystemFileHandle): Promise<void> => {
    if (handleNow() === handle) project.change({ base: fileBase(await handle.getFile(), handle) });
  };
  undo.addEventListener('click', () =>
    work.run(texts.undo, async () => {
      const handle = last;
      if (handle === undefined) return;
      await planner.undo();
      last = undefined;
      undo.hidden = true;
      work.say(texts.undone(handle.name));
      await openAgain(handle);
    }),
  );
  project.subscribe(() => {
    undo.hidden = last === undefined || handleNow() !== last;
  });
  const save = async (position: number, handle: FileSystemFileHandle): Promise<void> => {
    const permission = await (handle as PermissionHandle).requestPermission?.({ mode: 'readwrite' });
    await work.run(handle.name, async (options) => {
      if (permission !== undefined && permission !== 'granted') throw new Error(texts.denied(handle.name));
      await planner.saveInPlace(position, handle, options);
      last = handle;
      work.say(texts.saved(handle.name));
      await openAgain(handle);
    });
  };
  return {
    undo,
    offer({ position, changed }) {
      const { base } = project.get();
      const handle = handleNow();
      if (base === undefined || handle === undefined || changed === undefined) return undefined;
      const button = element(
        'button',
        { className: 'button small in-place-save', type: 'button', onclick: () => save(position, handle) },
        texts.inPlace(base.name),
      );
      const hint = element(
        'p',
        { className: 'quiet small' },
        texts.inPlaceHint(sizeText(changed), sizeText(base.size)),
      );
      return element('div', { className: 'in-place' }, element('div', { className: 'row' }, button), hint);
    },
  };
}
