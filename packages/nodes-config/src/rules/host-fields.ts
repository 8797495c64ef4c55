// A host, field by field. The documents' tables refer to it.
import type { Path } from '@coreiso/diagnostics';
import {
  boolean,
  integer,
  kept,
  listOf,
  type NetworkText,
  nested,
  networkState,
  optionalBoolean,
  type Section,
  text,
} from '../text/table.ts';

export interface InterfaceValues {
  name: string;
  macAddress: string;
}

export const INTERFACE: Section<InterfaceValues> = {
  goType: 'v1beta1.Interface',
  doc: 'One row of the table from logical names to MAC addresses.',
  fields: {
    name: text('The name that networkConfig uses for this interface.'),
    macAddress: {
      ...text('The MAC address of the machine, as XX:XX:XX:XX:XX:XX.', {
        pattern: '^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$',
      }),
      required: true,
    },
  },
};

export interface HintValues {
  deviceName: string;
  hctl: string;
  model: string;
  vendor: string;
  serialNumber: string;
  minSizeGigabytes: number;
  wwn: string;
  wwnWithExtension: string;
  wwnVendorExtension: string;
  rotational: boolean | undefined;
}

/**
 * Root device hints, in every kind of document.
 *
 * @example nested('Which disk to install to.', () => HINTS)
 */
export const HINTS: Section<HintValues> = {
  goType: 'baremetal.RootDeviceHints',
  doc: 'Which disk to install to; all hints that are given must match.',
  fields: {
    deviceName: text('The path of the disk, /dev/NAME or /dev/disk/by-path/NAME.', {
      pattern: '^/dev/(disk/by-path/)?[^/]+$',
    }),
    hctl: text('The SCSI address, host:channel:target:lun.'),
    model: text('A part of the model.'),
    vendor: text('A part of the vendor.'),
    serialNumber: text('The whole serial number.'),
    minSizeGigabytes: integer('The least size of the disk.'),
    wwn: text('The whole world wide name.'),
    wwnWithExtension: text('Refused by the installer.'),
    wwnVendorExtension: text('Refused by the installer.'),
    rotational: optionalBoolean('Whether the disk turns.'),
  },
};

export interface BmcValues {
  username: string;
  password: string;
  address: string;
  disableCertificateVerification: boolean;
}

/**
 * Access to a management controller, in every kind of document.
 *
 * @example optionalNested('Access to the management controller.', () => BMC)
 */
export const BMC: Section<BmcValues> = {
  goType: 'baremetal.BMC',
  doc: 'Access to the management controller; the image does not use it.',
  fields: {
    username: kept(text('User of the management controller.')),
    password: kept(text('Password of the management controller.')),
    address: kept(text('URL of the management controller.')),
    disableCertificateVerification: kept(boolean('Whether any certificate will do.')),
  },
};

export interface HostValues {
  hostname: string;
  role: string;
  rootDeviceHints: HintValues;
  interfaces: readonly InterfaceValues[];
  networkConfig: NetworkText | undefined;
  BMC: BmcValues;
}

export const ROLES = ['master', 'worker', 'arbiter'] as const;

/**
 * A host, in every kind of document that lists hosts.
 *
 * @example listOf('The hosts.', () => HOST)
 */
export const HOST: Section<HostValues> = {
  goType: 'agent.Host',
  doc: 'One machine, known by its MAC addresses.',
  fields: {
    hostname: text('The name to set at boot.'),
    role: text('What the host becomes; decided later where absent.', { values: ROLES }),
    rootDeviceHints: nested('Which disk to install to.', () => HINTS),
    interfaces: listOf('The interfaces that identify the host.', () => INTERFACE, {
      pointers: true,
      required: true,
    }),
    networkConfig: networkState('The network of the host, as nmstate describes it.'),
    BMC: nested('Access to the management controller.', () => BMC),
  },
};

/** A host to check, and its place in the document. */
export interface CheckedHost {
  readonly path: Path;
  /** The number of its manifest, from 1; absent if hosts are in a list. */
  readonly manifest?: number;
  readonly values: Pick<HostValues, 'hostname' | 'interfaces' | 'networkConfig'> & {
    /** Absent in documents without hints. */
    readonly rootDeviceHints?: HintValues;
  };
}
