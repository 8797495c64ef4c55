import type { DocumentEvent } from 'js-yaml';

const CORE_PREFIX = 'tag:yaml.org,2002:';

/** YAML 1.2.2 §6.8.2: what a tag as written (`!!str`, `!e!x`, `!<tag:…>`) stands for. */
export function resolveTag(written: string, directives: DocumentEvent['directives']): string {
  if (written.startsWith('!<')) return decodePercent(written.slice(2, -1));
  const handleEnd = written.indexOf('!', 1);
  const handle = handleEnd === -1 ? '!' : written.slice(0, handleEnd + 1);
  return decodePercent(prefixOf(handle, directives)) + decodePercent(written.slice(handle.length));
}

function prefixOf(handle: string, directives: DocumentEvent['directives']): string {
  for (const directive of directives) {
    if (directive.kind === 'tag' && directive.handle === handle) return directive.prefix;
  }
  return handle === '!!' ? CORE_PREFIX : handle;
}

function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
