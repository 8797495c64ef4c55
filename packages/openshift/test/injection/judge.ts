// Whether a file means the same as before, except for one value, to the program that reads it.
import { fileURLToPath } from 'node:url';
import { DEBIAN_PYTHON, output } from '../../../../test/support/tools.ts';

/** Files by path. */
export type Files = Readonly<Record<string, string>>;

/** A file before and after one value was replaced. */
export interface Pair {
  /** The replaced value and its replacement, for people. */
  readonly label: string;
  readonly path: string;
  readonly value: string;
  readonly before: string;
  readonly after: string;
}

const PARSER = fileURLToPath(new URL('parse.py', import.meta.url));

type Kind = 'yaml' | 'toml' | 'json' | 'keyfile';

function kindOf(path: string): Kind | undefined {
  if (path.endsWith('.nmconnection')) return 'keyfile';
  if (path.endsWith('registries.conf')) return 'toml';
  if (path.endsWith('.json') || path.endsWith('.ign')) return 'json';
  return path.endsWith('.yaml') || path.endsWith('.yml') ? 'yaml' : undefined;
}

interface Parsed {
  readonly value?: unknown;
  readonly error?: string;
}

/** The errors in the new files: one line each. */
export function breakouts(pairs: readonly Pair[]): string[] {
  const judged = pairs.filter(({ path }) => kindOf(path) !== undefined);
  const texts = judged.flatMap(({ path, before, after }) =>
    [before, after].map((text) => ({ kind: kindOf(path), text })),
  );
  const distinct = [...new Map(texts.map((one) => [`${one.kind} ${one.text}`, one])).values()];
  const answers: Parsed[] =
    distinct.length === 0
      ? []
      : JSON.parse(output(DEBIAN_PYTHON, [PARSER], { input: Buffer.from(JSON.stringify(distinct)) }).toString());
  const parsed = new Map(distinct.map(({ kind, text }, at) => [`${kind} ${text}`, answers[at]]));
  return pairs.flatMap((pair) => {
    const kind = kindOf(pair.path);
    const read = (text: string): Parsed =>
      kind === undefined ? { value: linesOf(text) } : (parsed.get(`${kind} ${text}`) ?? {});
    const [before, after] = [read(pair.before), read(pair.after)];
    if (before.error !== undefined) return [`${pair.label}: ${pair.path} before: ${before.error}`];
    const fault = after.error ?? differenceOf(before.value, after.value, pair.value);
    return fault === undefined ? [] : [`${pair.label}: ${pair.path}: ${fault}`];
  });
}

/** Derived from other values, in its own form. */
const DERIVED_LINE = /^(?:insecure-)?registry (?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/;
const DERIVED_PLACE = /\/connection\/uuid$|\/PUBLIC_CONTAINER_REGISTRIES$/;
/** Another release image has no mirror. */
const RELEASE_MIRROR = /^(=)\S+$|(?<=OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR=)\S+/g;

/** Files of lines `KEY VALUE` or `KEY=VALUE`: each repeated key is another setting. */
function linesOf(text: string): unknown {
  // To shells, podman and sed a line ends with a line feed; to systemd with a carriage return, too.
  return text
    .split(/\r\n|[\n\r]/)
    .filter((line) => !DERIVED_LINE.test(line))
    .map((line) => {
      const [, key = '', rest = ''] = /^([^\s=]*)(.*)$/s.exec(line) ?? [];
      return { [key]: rest };
    });
}

/** Equal except for texts that contain the value. */
function differenceOf(before: unknown, after: unknown, value: string, path = ''): string | undefined {
  if (typeof before === 'string' && typeof after === 'string') {
    const isWithoutMirror =
      /OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR/.test(`${path}${before}`) &&
      before.replace(RELEASE_MIRROR, '$1') === after;
    return before === after || isWithoutMirror || DERIVED_PLACE.test(path) || holds(after, value)
      ? undefined
      : `${path}: ${JSON.stringify(after)} does not hold it`;
  }
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) {
    return before === after ? undefined : `${path}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`;
  }
  const [was, is] = [membersOf(before), membersOf(after)];
  const strangers = [...is.keys()].filter((name) => !was.has(name) && !holds(name, value));
  if (was.size !== is.size || strangers.length > 0)
    return `${path}: ${[...was.keys()].join(' ').slice(0, 200)} became ${[...is.keys()].join(' ').slice(0, 200)}`;
  const renamed = [...is.keys()].find((name) => !was.has(name)) ?? '';
  for (const [name, inner] of was) {
    const fault = differenceOf(inner, is.get(is.has(name) ? name : renamed), value, `${path}/${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** nmstate's form of a host name with a dot. */
function membersOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).map(([name, one]) => [name === 'dhcp-fqdn' ? 'dhcp-hostname' : name, one]));
}

/** As it is, or embedded in a text (JSON in YAML), or base64. */
function holds(text: string, value: string): boolean {
  const quoted = value.replace(/["\\]/g, '\\$&').replaceAll('%', '%%');
  const forms = [value, value.trim(), value.toLowerCase(), JSON.stringify(value).slice(1, -1)];
  // Bars around an SSH key remain from a YAML block.
  forms.push(
    value.replace(/\|+$/, ''),
    quoted,
    quoted.replaceAll('$', '$$$$'),
    encodeURI(value.replace(/\p{Cs}/gu, '\ufffd')),
  );
  const decoded = [/^[A-Za-z0-9+/]+=*$/.test(text) ? Buffer.from(text, 'base64').toString() : '', unescaped(text)];
  return forms.some((form) => [text, ...decoded].some((one) => one.includes(form)));
}

/** A URL, before it was written in ASCII. */
function unescaped(text: string): string {
  return text.includes('://')
    ? text.replaceAll('%20', ' ').replaceAll('%22', '"').replaceAll('%3C', '<').replaceAll('%3E', '>')
    : '';
}
