// The page works offline after its first load; a new version is fetched beside the old one and used at the next visit.
import { element } from './element.ts';
import { offline as texts } from './texts/offline.ts';

/** Whether this visit is served from the copy of an earlier one. */
export function hasOfflineCopy(): boolean {
  return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
}

export async function useOffline(): Promise<void> {
  // Only a built page has the list of its files.
  const isBuilt = !new URL(import.meta.url).pathname.endsWith('.ts');
  if (!isBuilt || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('./offline.js');
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed' && registration.active !== null) showToast(texts.newer);
      });
    });
    if (registration.waiting !== null) showToast(texts.newer);
  } catch {
    // Servers without TLS, and private windows, have no service worker: the page works without.
  }
}

function showToast(text: string): void {
  if (document.getElementById('new-version') !== null) return;
  document.body.append(element('p', { className: 'note changed toast', role: 'status', id: 'new-version' }, text));
}
