import { bool, type ChoiceType, type Fields, inside, oneOf, type Section, text } from '../table.ts';

const mode: ChoiceType = oneOf('vepa', 'bridge', 'private', 'passthru', 'source', 'unknown');

function macVlanLike(name: string, doc: string): Section {
  return {
    name,
    doc,
    unknownKeys: 'refused',
    fields: {
      'base-iface': { type: text, required: true, doc: 'The interface below.' },
      mode: { type: mode, required: true, doc: 'Who may talk to whom.' },
      promiscuous: {
        type: bool,
        aliases: ['accept-all-mac'],
        key: 'promiscuous',
        doc: 'Whether the base is promiscuous; `false` only in passthru mode.',
      },
    },
  };
}

export const macVlan: Section = macVlanLike('MacVlanConfig', 'What makes a MAC VLAN.');
const macVtap: Section = macVlanLike('MacVtapConfig', 'What makes a MAC VTAP.');

export const macVlanFields: Fields = { 'mac-vlan': { type: inside(macVlan), doc: 'What makes the MAC VLAN.' } };
export const macVtapFields: Fields = { 'mac-vtap': { type: inside(macVtap), doc: 'What makes the MAC VTAP.' } };
