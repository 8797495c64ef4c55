// The start of both pages: the language service in its worker, and offline use.
import { connectWorker, type LanguageService, type MessagePeer } from '@coreiso/language';
import { type ContextOptions, lazily, type PageContext, startContext } from './context.ts';
import { hasOfflineCopy, useOffline } from './offline.ts';
import { showPage } from './page.ts';

export function start(address?: ContextOptions['address']): PageContext | undefined {
  const host = document.getElementById('page');
  if (host === null) return undefined;
  const worker = lazily(() => new Worker(new URL('./worker/language.worker.ts', import.meta.url), { type: 'module' }));
  const language = (): LanguageService => connectWorker(worker as MessagePeer);
  const context = startContext({ language, address });
  showPage(host, context);
  // Visitors who only look around load nothing beyond the visible parts.
  let isKept = false;
  context.project.subscribe(({ revision }) => {
    if (isKept || (revision === 0 && !hasOfflineCopy())) return;
    isKept = true;
    void useOffline();
  });
  return context;
}
