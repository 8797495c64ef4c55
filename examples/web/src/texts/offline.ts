/** Texts about versions of the page. */
export const offline = {
  newer: 'A new version of this page was loaded. It is used from the next visit on.',
} as const;
