/** Texts of the section "Look", but for those of its views. */
export const look = {
  tabs: 'Views',
  loading: 'Loading…',
  empty: 'See it before a machine boots it',
  emptyHint:
    'With an image or a document, this section draws the network of each host, and shows its keyfiles, what it does at each boot, and what of the image will change.',
} as const;
