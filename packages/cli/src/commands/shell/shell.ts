import type { Command, Group } from '../../frame/command.ts';

/** The shells that completion is written for. */
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** What shells and readers of manuals need. */
export const shellCommands = (tree: () => Group): readonly Command[] => [
  {
    kind: 'command',
    name: 'completion',
    summary: 'Print the completion script of a shell',
    about:
      'The script asks coreiso itself for commands, options and values, so it stays right when coreiso is updated. Load it from the start-up file of the shell, as the examples do.',
    positionals: [{ name: 'SHELL', required: true, choices: SHELLS, help: 'One of bash, zsh, fish, powershell' }],
    examples: [
      'source <(coreiso completion bash)    # in ~/.bashrc; for zsh in ~/.zshrc',
      'coreiso completion fish > ~/.config/fish/completions/coreiso.fish',
      'coreiso completion powershell | Out-String | Invoke-Expression    # in $PROFILE',
    ],
    load: async () => (await import('./completion.ts')).printScript,
  },
  {
    kind: 'command',
    name: 'complete',
    hidden: true,
    summary: 'Print completions of the last word, for completion scripts',
    positionals: [
      { name: 'SHELL', required: true, choices: SHELLS, help: 'The shell that asks' },
      { name: 'WORD', repeatable: true, help: 'Words after the name of the program; of bash the whole line' },
    ],
    load: async () => (await import('./completion.ts')).candidatesOf(tree()),
  },
  {
    kind: 'command',
    name: 'man',
    summary: 'Print a manual page, or write all of them',
    positionals: [{ name: 'COMMAND', repeatable: true, help: 'Command of the page (default: coreiso itself)' }],
    options: [{ name: 'output', short: 'o', value: 'DIR', help: 'Write the pages of all commands to this folder' }],
    examples: ['coreiso man nodes image | man -l -', 'coreiso man -o ~/.local/share/man/man1'],
    load: async () => (await import('./manual.ts')).manualOf(tree()),
  },
];
