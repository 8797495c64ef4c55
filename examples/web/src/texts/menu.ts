/** Texts of the menu of the project. */
export const menu = {
  title: 'Project',
  open: 'Open a project…',
  save: 'Save the project',
  saveWithout: 'Save it without secrets',
  forget: 'Forget everything',
  about: 'Nothing is kept in this browser: what you do not save is gone with the tab.',
  withSecrets: (secrets: string): string => `The file holds secrets: ${secrets}. Keep it to yourself.`,
  noSecrets: 'No secrets were found in the documents.',
  without: (secrets: string): string => `Left out of the file: ${secrets}.`,
  forgotten: 'Everything is forgotten.',
  notAProject: (name: string): string => `${name} is not a project file of this page.`,
  newer: (name: string): string => `${name} was saved by a newer version of this page.`,
} as const;
