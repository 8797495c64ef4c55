// Files dropped anywhere on the page: an image, a document or a project, distinguished by their contents.
import { kindOf } from '@coreiso/language';
import type { PageContext } from './context.ts';
import { fileBase } from './image/image.ts';
import { DOCUMENTS, type DocumentKind, type Task } from './project.ts';
import { isProjectText } from './project-file.ts';

/** Larger files are not documents. */
const MOST_TEXT = 4 * 2 ** 20;

/** Chromium gives a handle, which allows writing to the file. */
interface HandleItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

export function acceptDrops(page: HTMLElement, context: PageContext, openProject: (file: File) => Promise<void>): void {
  page.addEventListener('dragover', (event) => {
    event.preventDefault();
    page.classList.add('dragging');
  });
  page.addEventListener('dragleave', () => page.classList.remove('dragging'));
  page.addEventListener('drop', async (event) => {
    event.preventDefault();
    page.classList.remove('dragging');
    // Items are gone after the first `await`.
    const dropped = [...(event.dataTransfer?.items ?? [])].map((item) => ({
      file: item.getAsFile(),
      handle: (item as HandleItem).getAsFileSystemHandle?.(),
    }));
    for (const { file, handle } of dropped) {
      if (file !== null) await openDropped(file, await handle, context, openProject);
    }
  });
}

async function openDropped(
  file: File,
  handle: FileSystemHandle | null | undefined,
  { project }: PageContext,
  openProject: (file: File) => Promise<void>,
): Promise<void> {
  const text =
    file.size <= MOST_TEXT && !/\.(?:iso|img|raw|gz|xz|zst|qcow2)$/i.test(file.name) ? await file.text() : undefined;
  if (text !== undefined && isProjectText(text)) return await openProject(file);
  const kind = text === undefined ? undefined : documentKind(text, file.name);
  if (text === undefined || kind === undefined) {
    const own = handle?.kind === 'file' ? (handle as FileSystemFileHandle) : undefined;
    return project.change({ base: fileBase(file, own) });
  }
  const { task, documents } = project.get();
  const [other = task] = (Object.keys(DOCUMENTS) as Task[]).filter((one) => DOCUMENTS[one].includes(kind));
  project.change({ task: DOCUMENTS[task].includes(kind) ? task : other, documents: { ...documents, [kind]: text } });
}

function documentKind(text: string, name: string): DocumentKind | undefined {
  const kind = kindOf(text, name);
  const known = Object.values(DOCUMENTS).flat();
  const found = known.find((one) => one === kind);
  if (found !== undefined) return found;
  return /"(?:workerUserData|releaseImage|apiServerUrl|pullSecret)"\s*:|^kind:\s*List$/m.test(text)
    ? 'cluster-facts'
    : undefined;
}
