import { sizeText } from './sizes.ts';

export const IGNITION = {
  title: 'Ignition',
  label: 'Ignition config as a tree',
  empty: 'No Ignition config yet. Describe a host, or paste a config.',
  nested: 'config inside',
  binary: (size: number) => `${sizeText(size)} of binary data`,
  size: (size: number) => sizeText(size),
  expiry: (what: string, date: string, where: string) =>
    `${what} is valid until ${date}${where === '' ? '' : `, in ${where}`}.`,
  certificate: (name: string) => `The certificate ${name}`.trimEnd(),
  token: (name: string) => `The token ${name}`.trimEnd(),
  count: (count: number) => `${count}`,
} as const;
