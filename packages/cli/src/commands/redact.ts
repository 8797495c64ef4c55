import type { Command } from '../frame/command.ts';

/** The command that prepares any file for a support case. */
export const redactCommand: Command = {
  kind: 'command',
  name: 'redact',
  summary: 'Print a file without its secrets, for a support case',
  about:
    'Takes reports, configs, cluster facts, kubeconfigs, Ignition, keyfiles, state files and logs. Passwords, tokens, keys, pull secrets and users in addresses become <redacted>; all else stays, comments too. Look at the result before you send it: a secret under a name that says nothing is not found.',
  positionals: [{ name: 'FILE', help: 'File to print, or - for standard input' }],
  examples: [
    'coreiso redact node.x86_64.report.json',
    'coreiso redact install-config.yaml > for-support.yaml',
    'journalctl | coreiso redact -',
  ],
  load: async () => (await import('./redact-file.ts')).redactFile,
};
