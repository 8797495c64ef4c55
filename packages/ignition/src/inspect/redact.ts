import { withoutSecrets } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { HIDDEN } from '@coreiso/peers/hidden';
import { isSecretPath } from '@coreiso/peers/secret-names';
import { resource } from '../codec/data-url.ts';
import type { Config } from '../spec/generated/types.ts';
import { decodePem, ENCODED_PEM, readNested, unpackSource } from './contents.ts';

/** Headers that never carry a secret; all others may. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'content-type', 'user-agent']);

/**
 * Copies a config without password hashes, private keys, tokens, headers and LUKS keys.
 *
 * @example console.log(stringifyConfig(redact(config), { indent: 2 }))
 */
export function redact(config: Config): Config {
  checkArgument('config', config, 'object');
  return redactValue(config) as Config;
}

/** Replaces everything in a text that looks like a secret. */
export function redactText(text: string): string {
  const withoutKeys = text.replace(ENCODED_PEM, (encoded) => {
    const pem = decodePem(encoded);
    return pem.includes('PRIVATE KEY') ? HIDDEN : encoded;
  });
  return String(withoutSecrets(withoutKeys));
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Record<string, unknown>;
  const content = redactSource(object);
  return Object.fromEntries(
    Object.entries({ ...object, ...content }).map(([key, member]) => [
      key,
      content?.[key] ?? redactMember(key, member),
    ]),
  );
}

function redactMember(key: string, member: unknown): unknown {
  if (key === 'httpHeaders')
    return Array.isArray(member) ? member.map(redactHeader) : redactHeader(member as object | null);
  if (key === 'keyFile' && typeof member === 'object') return { ...member, ...resource(HIDDEN) };
  if (isSecretPath([key]) && typeof member === 'string' && member !== '') return HIDDEN;
  return redactValue(member);
}

/** Redacts a header. In a config of a newer spec it may have any type. */
function redactHeader(header: { name?: unknown; value?: unknown } | null): unknown {
  if (header === null) return null;
  if (typeof header !== 'object' || Array.isArray(header)) return HIDDEN;
  const harmless = typeof header.name === 'string' && HARMLESS_HEADERS.has(header.name.toLowerCase());
  return harmless || header.value === undefined ? header : { ...header, value: HIDDEN };
}

/** Redacts the content of a `data:` URL; returns the URL unchanged if it has no secrets. */
function redactSource({ source, compression }: Record<string, unknown>): Record<string, unknown> | undefined {
  const bytes = typeof source === 'string' ? unpackSource(source, compression) : undefined;
  if (bytes === undefined) return undefined;
  const nested = readNested(bytes);
  if (nested !== undefined) return { ...resource(JSON.stringify(redactValue(nested))) };
  const text = new TextDecoder().decode(bytes);
  const redacted = redactText(text);
  return redacted === text ? { source } : { ...resource(redacted) };
}
