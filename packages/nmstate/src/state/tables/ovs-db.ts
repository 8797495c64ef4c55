import { ovsDbEntries, ovsDbSections } from '../special/ovs-db.ts';
import { type Field, inside, type Section } from '../table.ts';

/** On an interface or on an Open vSwitch bond: values of any scalar type, anything else is dropped. */
export const ovsDb: Field = { type: ovsDbSections, doc: 'Entries of the Open vSwitch database.' };

const globalSection: Section = {
  name: 'OvsDbGlobalConfig',
  doc: 'Global entries of the Open vSwitch database; checked, never written.',
  unknownKeys: 'refused',
  fields: {
    external_ids: { type: ovsDbEntries, unused: true, doc: 'External identifiers.' },
    other_config: { type: ovsDbEntries, unused: true, doc: 'Other configuration.' },
  },
};

export const globalOvsDb: Field = { type: inside(globalSection), doc: 'Global entries of the Open vSwitch database.' };
