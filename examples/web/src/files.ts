// Files in and out of the tab with features that every browser has.
import { element } from './element.ts';

/** A file that the user chooses; undefined if they choose none. */
export function pickFile(accept = ''): Promise<File | undefined> {
  return new Promise((resolve) => {
    const input = element('input', { type: 'file', accept, hidden: true });
    input.addEventListener('change', () => finish(input.files?.[0]));
    input.addEventListener('cancel', () => finish(undefined));
    const finish = (file: File | undefined): void => {
      input.remove();
      resolve(file);
    };
    // Firefox opens the dialogue only for an input in the document.
    document.body.append(input);
    input.click();
  });
}

/** Downloads a Blob; the browser keeps its bytes until then. */
export function saveBlob(name: string, blob: Blob): void {
  const href = URL.createObjectURL(blob);
  const link = element('a', { href, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([text], { type: 'text/plain' }));
}
