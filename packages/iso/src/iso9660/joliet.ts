import { JOLIET_ESCAPES, readLatin1, readUcs2Be, VOLUME } from './fields.ts';

/** Whether a supplementary descriptor is Joliet's: its escape sequences say UCS-2 (Joliet 3). */
export function isJoliet(descriptor: Uint8Array): boolean {
  return JOLIET_ESCAPES.includes(readLatin1(descriptor, VOLUME.escapeSequences, 3));
}

/** A file name of the Joliet tree, without the version that some programs add. */
export function jolietName(bytes: Uint8Array): string {
  return readUcs2Be(bytes, 0, bytes.length).replace(/;\d*$/, '');
}

/** An identifier of a Joliet descriptor, without the filling. */
export function jolietIdentifier(bytes: Uint8Array): string {
  return readUcs2Be(bytes, 0, bytes.length).replace(/[ \0]+$/, '');
}
