import { HIDDEN } from '@coreiso/peers/hidden';

/** A recorded message with that hidden which ours hides; a message that differs in anything else stays as it is. */
export function hidingAs(ours: string | undefined, recorded: string): string {
  if (ours === undefined || !ours.includes(HIDDEN)) return recorded;
  const pattern = ours
    .split(HIDDEN)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^]*');
  return new RegExp(`^${pattern}$`).test(recorded) ? ours : recorded;
}
