import { HIDDEN } from '@coreiso/peers/hidden';

/**
 * A recorded message with the parts hidden that coreiso's message hides; a message with other differences stays
 * unchanged.
 */
export function hidingAs(ours: string | undefined, recorded: string): string {
  if (ours === undefined || !ours.includes(HIDDEN)) return recorded;
  const pattern = ours
    .split(HIDDEN)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^]*');
  return new RegExp(`^${pattern}$`).test(recorded) ? ours : recorded;
}
