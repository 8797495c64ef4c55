import { decodeBase64, percentDecode } from '@coreiso/peers/go';
import { HIDDEN, hideUsers } from '@coreiso/peers/hidden';
import { isSecretName } from '@coreiso/peers/secret-names';
import { secretExtents } from '../secrets.ts';

/** Members of findings that are prose. They name secret members but never quote their values. */
const WORDS: ReadonlySet<string> = new Set(['help', 'extra', 'message', 'upstream']);
/** Members with the contents of the file that `path` or `name` of the same object names. */
const CONTENTS: ReadonlySet<string> = new Set(['content', 'contents', 'data', 'lines', 'text']);
/** No document has values deeper than this. */
const DEPTH = 200;

/**
 * A copy of plain data, or of a text, without secrets. Hides the values of secret members (also in texts of any format), files
 * with secret names, users and signatures in addresses, private keys, tokens and password hashes.
 *
 * @example console.log(JSON.stringify(withoutSecrets({ user: 'me', password: 'hunter2' }))) // {"user":"me","password":"<redacted>"}
 */
export function withoutSecrets(value: unknown): unknown {
  return shown(value, 0);
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shownText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => shown(item, depth + 1));
  if (value instanceof Uint8Array) return HIDDEN;
  // Some objects, such as dates, convert themselves.
  if ('toJSON' in value && typeof value.toJSON === 'function') return shown(value.toJSON(), depth + 1);
  const object = value as Readonly<Record<string, unknown>>;
  const isSecretObject = object['kind'] === 'Secret';
  const isSecretFile = [object['path'], object['name']].some(
    (name) => typeof name === 'string' && isSecretFileName(name),
  );
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => {
      if (WORDS.has(name)) return [name, withoutUsers(member, depth + 1)];
      const isSecret =
        isSecretName(name) ||
        isSecretFileName(name) ||
        (isSecretObject && name === 'data') ||
        (isSecretFile && CONTENTS.has(name));
      return [name, isSecret ? maskedShape(member, depth + 1) : shown(member, depth + 1)];
    }),
  );
}

/** The same shape without the contents. */
function maskedShape(value: unknown, depth: number): unknown {
  if (value === undefined || value === null || value === '' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || depth > DEPTH || value instanceof Uint8Array) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => maskedShape(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedShape(member, depth + 1)]));
}

function withoutUsers(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return hideUsers(value);
  return Array.isArray(value) ? value.map((item) => withoutUsers(item, depth + 1)) : shown(value, depth);
}

/** `cluster-manifests/pull-secret.yaml` is such a name, and so is `server.key`. */
function isSecretFileName(path: string): boolean {
  const [, stem = '', ending = ''] = /([^/]+?)(\.[a-z]{1,5})?$/i.exec(path) ?? [];
  return ending === '.key' || (ending !== '' && isSecretName(stem)) || (path.includes('/') && isSecretName(stem));
}

const DATA_URL = /^data:(?:[^,"]|"(?:[^"\\]|\\[\s\S])*")*,/;

function shownText(text: string): string {
  const [header] = DATA_URL.exec(text) ?? [];
  return header === undefined ? maskSecrets(text) : shownDataUrl(text, header);
}

/** RFC 2397: returns the URL unchanged if it has nothing to hide, else a new one with the remaining text. */
function shownDataUrl(url: string, header: string): string {
  const data = url.slice(header.length);
  const reading = decodeBase64(data);
  const bytes = !header.endsWith(';base64,') ? percentDecode(data) : reading.ok ? reading.bytes : undefined;
  if (bytes === undefined) return `${header}${HIDDEN}`;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const rest = maskSecrets(text);
    return rest === text ? url : `data:,${encodeURIComponent(rest)}`;
  } catch {
    // Compressed or binary data is not searched.
    return `${header}${HIDDEN}`;
  }
}

function maskSecrets(text: string): string {
  let [result, from] = ['', 0];
  for (const { start, end } of secretExtents(text)) {
    // Line breaks and indentation belong to the document.
    const [before = ''] = /^\s*/.exec(text.slice(start, Math.min(end, start + 300))) ?? [];
    const [behind = ''] = /\s*$/.exec(text.slice(Math.max(start + before.length, end - 2), end)) ?? [];
    result += `${text.slice(from, start)}${before}${HIDDEN}${behind}`;
    from = end;
  }
  return result + text.slice(from);
}
