import { edit, type LiveImage } from '@coreiso/iso';
import { rangeResponse } from '@coreiso/iso/http';

/**
 * Serves the image of one host: all bytes that are not from the base are computed from the name, in the same way on
 * every server.
 */
export async function hostImage(request: Request, image: LiveImage, host: string): Promise<Response> {
  const ignition = {
    ignition: { version: '3.4.0' },
    storage: { files: [{ path: '/etc/hostname', mode: 0o644, contents: { source: `data:,${host}` } }] },
  };
  const { overlay } = await edit(image, { ignition });
  return rangeResponse(request, overlay, { filename: `${host}.iso` });
}

/** The host whose image has this address. */
export function hostIn(url: string): string | undefined {
  return /^\/([a-z0-9-]+)\.iso$/.exec(new URL(url).pathname)?.[1];
}
