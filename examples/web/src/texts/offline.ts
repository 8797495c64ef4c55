/** Texts about versions of the page. */
export const offline = {
  newer: 'A new version of this page is ready. You get it at your next visit.',
} as const;
