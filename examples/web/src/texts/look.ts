/** Texts of the section "Preview", but for those of its views. */
export const look = {
  tabs: 'Views',
  loading: 'Loading…',
  empty: 'See it before a machine boots it',
  emptyHint:
    'Add an image or a document: you see the network of each host, its keyfiles, what it does at each boot, and what changes in the image.',
} as const;
