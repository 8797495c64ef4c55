// Help for rules that people break by mistake; the messages of the other rules need none.
import type { Rule } from '../codes.ts';

const SCHEMES = 'http, https, tftp, s3, arn, gs or data';

const HELP: Partial<Readonly<Record<Rule, string>>> = {
  'path-not-specified': 'Add the absolute path.',
  'path-not-absolute': 'Begin the path with a slash.',
  'path-not-simplified': 'Write the path without `.`, `..`, doubled slashes and a slash at the end.',
  'url-scheme': `Use ${SCHEMES}; text goes into data:,TEXT with TEXT percent-encoded.`,
  'url-unparsable': `Write a URL with one of the schemes ${SCHEMES}.`,
  'data-url': 'Write data:,TEXT with TEXT percent-encoded, or data:;base64,BYTES.',
  'compression-unknown': 'Write gzip, or leave compression out.',
  'hash-malformed': 'Write sha256- or sha512- and the hexadecimal digest.',
  'hash-unknown': 'Use sha256 or sha512.',
  'owner-ambiguous': 'Keep either id or name.',
  'mode-illegal': 'Write the mode in decimal: 420 is 0644, 493 is 0755.',
  'overwrite-without-source': 'Add contents with a source, or remove overwrite.',
  'duplicate-entry': 'Keep one of the two.',
  'unit-extension': 'End the name in .service, .timer, .mount, .socket, .path or another type of unit.',
  'dropin-extension': 'End the name in .conf.',
  'unit-without-install': 'Add an [Install] section, such as WantedBy=multi-user.target.',
};

/** Keys of Butane and other tools, and the keys that Ignition has instead. */
const KEYS: Readonly<Record<string, string>> = {
  content: 'Did you mean `contents`?',
  inline: 'Butane has `inline`; Ignition has `source`, with the text in data:,TEXT.',
  local: 'Butane has `local`; Ignition has `source`.',
  variant: 'This is Butane. Translate it first: butane --strict --output config.ign config.bu',
  ssh_authorized_keys: 'Butane has `ssh_authorized_keys`; Ignition has `sshAuthorizedKeys`.',
};

/** The help for a breach, if there is one. */
export function helpFor(rule: Rule, detail = ''): string | undefined {
  return rule === 'unused-key' ? KEYS[detail] : HELP[rule];
}
