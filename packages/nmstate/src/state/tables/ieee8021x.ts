import { listOf, type Section, text } from '../table.ts';

export const ieee8021x: Section = {
  name: 'Ieee8021XConfig',
  doc: 'Port-based authentication.',
  unknownKeys: 'ignored',
  fields: {
    identity: { type: text, key: 'identity', doc: 'User name.' },
    'eap-methods': { type: listOf(text), doc: 'Methods, such as `tls` or `peap`.' },
    'private-key': { type: text, key: 'private-key', doc: 'Path of the private key.' },
    'client-cert': { type: text, key: 'client-cert', doc: 'Path of the certificate.' },
    'ca-cert': { type: text, key: 'ca-cert', doc: 'Path of the authority.' },
    'private-key-password': { type: text, secret: true, doc: 'Password of the private key. A secret.' },
    'phase2-auth': { type: text, key: 'phase2-auth', doc: 'Inner authentication.' },
    password: { type: text, secret: true, doc: 'Password of the user. A secret.' },
  },
};
