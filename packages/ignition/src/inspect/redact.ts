import { requireObject, requireText } from '@coreiso/diagnostics/arguments';
import { resource } from '../codec/data-url.ts';
import type { Config } from '../spec/generated/types.ts';
import { decodePem, ENCODED_PEM, readNested, unpackSource } from './contents.ts';

const REDACTED = '<redacted>';

/** Members that are secrets whatever they say. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['passwordHash']);
/** Headers that never carry a secret; all others may. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'content-type', 'user-agent']);

/** What in a text is a secret; the first group is kept. Anchored so that no text takes more than one pass. */
const SECRETS: readonly RegExp[] = [
  // Keys and values: keyfiles, environment files, YAML, JSON.
  /((?<![\w.-])["']?(?:[\w.-]*(?:password|passwd|passphrase|secret|token|psk|private-?key|client-key-data|auth|api-?key|wep-key\d))["']?[ \t]*[:=][ \t]*)(?:"[^"\n]*"|'[^'\n]*'|[^\s"',}][^\n,}]*)/gi,
  // RFC 7519 tokens.
  /((?<![\w.-]))eyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  // RFC 3986 3.2.1: user and password of a URL.
  /((?<![\w.+-])[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+(?=@)/gi,
  // crypt(3) hashes.
  /(\$(?:1|2[abxy]?|5|6|7|y|gy)\$)[./A-Za-z0-9$=,-]+/g,
  // Signatures and tokens in queries.
  /([?&][\w.-]*(?:signature|token|secret|password|credential|key)=)[^&#\s"']+/gi,
];
const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g;

/**
 * A copy of a config that may be shown: password hashes, private keys, tokens, headers and LUKS keys are blotted out.
 *
 * @example console.log(stringifyConfig(redact(config), { indent: 2 }))
 */
export function redact(config: Config): Config {
  requireObject('config', config);
  return redactValue(config) as Config;
}

/**
 * A text with everything blotted out that looks like a secret.
 *
 * @example redactText('password=hunter2') // 'password=<redacted>'
 */
export function redactText(text: string): string {
  requireText('text', text);
  const withoutKeys = redactKeys(text).replace(ENCODED_PEM, (encoded) => {
    const pem = decodePem(encoded);
    return pem.includes('PRIVATE KEY') ? REDACTED : encoded;
  });
  return SECRETS.reduce((rest, pattern) => rest.replace(pattern, `$1${REDACTED}`), withoutKeys);
}

/** A private key goes from its first line to its last, or to the end of the text. */
function redactKeys(text: string): string {
  let result = '';
  let from = 0;
  KEY_BEGIN.lastIndex = 0;
  for (let begin = KEY_BEGIN.exec(text); begin !== null; begin = KEY_BEGIN.exec(text)) {
    const last = `-----END${begin[0].slice('-----BEGIN'.length)}`;
    const end = text.indexOf(last, KEY_BEGIN.lastIndex);
    result += `${text.slice(from, begin.index)}${begin[0]}\n${REDACTED}\n`;
    if (end === -1) return result;
    from = end;
    KEY_BEGIN.lastIndex = end;
  }
  return result + text.slice(from);
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
  if (SECRET_MEMBERS.has(key) && typeof member === 'string') return REDACTED;
  if (key === 'httpHeaders' && Array.isArray(member)) return member.map(redactHeader);
  if (key === 'keyFile' && typeof member === 'object') return { ...member, ...resource(REDACTED) };
  return redactValue(member);
}

function redactHeader(header: { name?: unknown; value?: unknown }): unknown {
  const harmless = typeof header.name === 'string' && HARMLESS_HEADERS.has(header.name.toLowerCase());
  return harmless || header.value === undefined ? header : { ...header, value: REDACTED };
}

/** What is inside a `data:` URL, redacted and packed again; just the URL where there is nothing to hide. */
function redactSource({ source, compression }: Record<string, unknown>): Record<string, unknown> | undefined {
  const bytes = typeof source === 'string' ? unpackSource(source, compression) : undefined;
  if (bytes === undefined) return undefined;
  const nested = readNested(bytes);
  if (nested !== undefined) return { ...resource(JSON.stringify(redactValue(nested))) };
  const text = new TextDecoder().decode(bytes);
  const redacted = redactText(text);
  return redacted === text ? { source } : { ...resource(redacted) };
}
