// What all views say.
export const VIEW = {
  added: 'new',
  changed: 'changed',
  removed: (names: string) => `Gone since your last look: ${names}.`,
  news: (added: number, changed: number) =>
    `Since your last look: ${[...(added > 0 ? [`${added} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])].join(', ')}.`,
  seen: 'Mark all as seen',
  showSecrets: 'Show secrets',
  hideSecrets: 'Hide secrets',
  secretsHidden: 'Secrets are hidden.',
  host: 'Host',
  previousHost: 'Previous host',
  nextHost: 'Next host',
  noHosts: 'No hosts yet. Choose a template, or describe one in the document.',
  working: 'Working…',
  failed: (message: string) => `This view cannot be shown: ${message}`,
  more: (count: number) => `Show ${count} more`,
  openAll: 'Unfold all',
  closeAll: 'Fold all',
} as const;
