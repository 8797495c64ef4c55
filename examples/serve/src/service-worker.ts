// navigator.serviceWorker.register('service-worker.js', { type: 'module' }): a page then downloads /worker-1.iso from itself,
// and the base comes by ranges from the page's own server.
import { type LiveImage, openLiveImage } from '@coreiso/iso';
import { httpSource } from '@coreiso/iso/http';
import { hostImage, hostIn } from './host-images.ts';

/** The part of a service worker's events that this file uses. */
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

let opened: Promise<LiveImage> | undefined;
globalThis.addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent;
  const host = hostIn(request.url);
  // The base itself is not one of the images: it is fetched from the network.
  if (host === undefined || host === 'rhcos-live') return;
  opened ??= httpSource(new URL('/rhcos-live.iso', request.url)).then((source) => openLiveImage(source));
  (event as FetchEvent).respondWith(opened.then((image) => hostImage(request, image, host)));
});
