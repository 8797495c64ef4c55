/** Texts about a base at an address. */
export const address = {
  label: 'Address of a live ISO',
  placeholder: 'https://mirror.example/rhcos-live.iso',
  open: 'Open',
  hint: 'The server must answer Range requests and allow other pages to read it (CORS). Only the parts that are needed are fetched; saving an image fetches the rest.',
  fetched: (requests: number, size: string, host: string): string =>
    `Fetched ${size} from ${host} in ${requests} ${requests === 1 ? 'request' : 'requests'}. Nothing else was sent.`,
  failed: (message: string): string =>
    `${message}. Does the server answer Range requests, and allow other pages to read it (CORS)?`,
  invalid: 'This is not an address.',
  elsewhere: 'This page fetches nothing from other servers.',
} as const;
