import type { KeyfileSection } from '../keyfile/keyfile.ts';
import type { BaseInterface } from '../state/generated/types.ts';
import { type Profile, profileUuid } from './profile.ts';

interface Identity {
  /** nmstate's word, which the UUID is made of. */
  readonly type: string;
  readonly connectionType: string;
  readonly name: string;
  readonly state: BaseInterface['state'];
}

/** The part of `[connection]` that every profile has. */
export function connectionSection(profile: Profile, { type, connectionType, name, state }: Identity): KeyfileSection {
  return profile
    .section('connection')
    .set('id', profile.id)
    .set('uuid', profileUuid(type, name))
    .set('type', connectionType)
    .set('autoconnect', state !== 'down')
    .set('autoconnect-slaves', -1);
}
