import { fileURLToPath } from 'node:url';
import { rootImage } from './root.ts';

/** A virtual machine: its hardware, which stays the same from boot to boot. */
export interface Machine {
  readonly firmware: 'bios' | 'uefi';
  /** The drive of the live image: the CD drive or a USB stick. Firmware of kind `bios` always starts from it. */
  readonly media: 'cd' | 'usb';
  /** With `uefi`: the file with its variables. Without one, every boot is like the first. */
  readonly variables?: string;
  readonly memoryMiB?: number;
  readonly nics?: readonly Nic[];
  readonly disks?: readonly Disk[];
}

/** A raw disk image, written permanently, and its serial number. In the guest they are `/dev/vda`, `/dev/vdb` and so on. */
interface Disk {
  readonly file: string;
  readonly serial: string;
}

/** A network card; the first is `enp0s5` in the guest, the next `enp0s6`. Without a network its cable is dead. */
export interface Nic {
  readonly mac: string;
  readonly network?: Network;
}

/** A closed network with a DHCP server. Packets leave it only to ports on this machine's loopback address. */
export interface Network {
  /** Such as `198.51.100.0/24`; the gateway is `.1`. */
  readonly subnet: string;
  /** Addresses in the guest's network: `198.51.100.5:22623` → port of this machine. */
  readonly services?: Readonly<Record<string, number>>;
  /** Ports of the guest that this machine connects to, such as `198.51.100.21:8090`. */
  readonly reached?: readonly string[];
}

/** Ports between the guest and the test; each is a descriptor that QEMU inherits. */
export const PORTS = ['shell', 'journal', 'installer'] as const;
const FIRST_DESCRIPTOR = 3;

/** Fixed places on the bus, which determine the names of interfaces. */
const SLOTS = { usb: 0x2, root: 0x3, ports: 0x4, nic: 0x5, disk: 0x10 } as const;

export function qemuArguments(iso: string, machine: Machine, filesForGuest: string): string[] {
  const { firmware, media, variables, memoryMiB = 1024, nics = [], disks = [] } = machine;
  const args = [
    '-machine',
    'q35',
    '-accel',
    'tcg',
    '-cpu',
    'Nehalem',
    '-m',
    `${memoryMiB}`,
    '-smp',
    '1',
    '-nodefaults',
  ];
  args.push('-no-reboot', '-display', 'none', '-vga', 'none', '-serial', 'stdio', '-nic', 'none');
  if (firmware === 'uefi') {
    args.push('-drive', 'if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd');
    args.push('-drive', `if=pflash,format=raw,file=${variables}`);
  }
  // With a boot index OVMF would override the order in its variables.
  const order = firmware === 'bios' ? ',bootindex=1' : '';
  args.push('-drive', `if=none,id=live,format=raw,readonly=on,file=${iso}${media === 'cd' ? ',media=cdrom' : ''}`);
  if (media === 'cd') args.push('-device', `ide-cd,drive=live${order}`);
  else args.push('-device', `qemu-xhci,addr=${SLOTS.usb}`, '-device', `usb-storage,drive=live,removable=on${order}`);
  args.push('-drive', `if=none,id=root,format=raw,readonly=on,media=cdrom,file=${rootImage()}`);
  args.push('-device', `virtio-scsi-pci,addr=${SLOTS.root}`, '-device', 'scsi-cd,drive=root');
  args.push('-device', `virtio-serial-pci,addr=${SLOTS.ports}`);
  for (const [index, name] of PORTS.entries()) {
    args.push('-chardev', `socket,id=${name},fd=${FIRST_DESCRIPTOR + index}`);
    args.push('-device', `virtserialport,chardev=${name},name=${name}`);
  }
  args.push('-chardev', `socket,id=monitor,fd=${FIRST_DESCRIPTOR + PORTS.length}`);
  args.push('-mon', 'chardev=monitor,mode=control');
  args.push('-fw_cfg', `name=opt/coreiso/files,file=${filesForGuest}`);
  for (const [index, { mac, network }] of nics.entries()) {
    args.push('-netdev', netdev(`n${index}`, network));
    args.push('-device', `virtio-net-pci,netdev=n${index},mac=${mac},addr=${SLOTS.nic + index},romfile=`);
  }
  for (const [index, { file, serial }] of disks.entries()) {
    args.push('-drive', `if=none,id=disk${index},format=raw,discard=unmap,file=${file}`);
    args.push('-device', `virtio-blk-pci,drive=disk${index},serial=${serial},addr=${SLOTS.disk + index}`);
  }
  return args;
}

function netdev(id: string, network: Network | undefined): string {
  if (network === undefined) return `hubport,id=${id},hubid=${id.slice(1)}`;
  const { subnet, services = {}, reached = [] } = network;
  const address = (last: number) => subnet.replace(/\.\d+\/\d+$/, `.${last}`);
  const relay = fileURLToPath(new URL('relay.mjs', import.meta.url));
  return [
    `user,id=${id},restrict=on,ipv6=off,net=${subnet},host=${address(1)},dns=${address(3)},dhcpstart=${address(100)}`,
    ...Object.entries(services).map(
      ([where, port]) => `guestfwd=tcp:${where}-cmd:${process.execPath} ${relay} ${port}`,
    ),
    ...reached.map((where) => `hostfwd=tcp:127.0.0.1:0-${where}`),
  ].join(',');
}
