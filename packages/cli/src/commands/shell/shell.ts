import type { Command, Group } from '../../frame/command.ts';

/** The shells with a completion script. */
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Commands for shells and manual pages. */
export const shellCommands = (tree: () => Group): readonly Command[] => [
  {
    kind: 'command',
    name: 'completion',
    summary: 'Print the completion script of a shell',
    about:
      'The script asks coreiso itself for commands, options and values, so it keeps working after an update. Run the line for bash in ~/.bashrc, the same for zsh in ~/.zshrc after compinit, the one for PowerShell in $PROFILE, and the one for fish once.',
    positionals: [{ name: 'SHELL', required: true, choices: SHELLS, help: 'One of bash, zsh, fish, powershell' }],
    examples: [
      'source <(coreiso completion bash)',
      'coreiso completion fish > ~/.config/fish/completions/coreiso.fish',
      'coreiso completion powershell | Out-String | Invoke-Expression',
    ],
    load: async () => (await import('./completion.ts')).printScript,
  },
  {
    kind: 'command',
    name: 'complete',
    hidden: true,
    summary: 'Print completions of the last word, for completion scripts',
    positionals: [
      { name: 'SHELL', required: true, choices: SHELLS, help: 'Shell that calls' },
      { name: 'WORD', repeatable: true, help: 'Words after the name of the program; for bash the whole line' },
    ],
    load: async () => (await import('./completion.ts')).candidatesOf(tree()),
  },
  {
    kind: 'command',
    name: 'man',
    summary: 'Print a manual page, or write all of them',
    positionals: [{ name: 'COMMAND', repeatable: true, help: 'Command of the page (default: coreiso itself)' }],
    options: [{ name: 'output', short: 'o', value: 'DIR', help: 'Write the pages of all commands to this directory' }],
    examples: ['coreiso man nodes image | man -l -', 'coreiso man -o ~/.local/share/man/man1'],
    load: async () => (await import('./manual.ts')).manualOf(tree()),
  },
];
