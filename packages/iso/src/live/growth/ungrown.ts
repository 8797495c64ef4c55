import { overlay } from '../../bytes/overlay.ts';
import { type LiveImage, openLiveImage } from '../image.ts';
import { readGrowRecord } from './record.ts';

/** The image before it grew: the image itself if it never did. Its area is empty then. */
export async function ungrown(image: LiveImage, signal?: AbortSignal): Promise<LiveImage> {
  const record = await readGrowRecord(image.iso.source, signal);
  if (record === undefined) return image;
  const original = overlay(image.source, record.originals, { keep: record.originalSize });
  return openLiveImage(original, signal === undefined ? {} : { signal });
}
