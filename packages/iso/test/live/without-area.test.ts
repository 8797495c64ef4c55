import { expect, test } from 'vitest';
import { IsoError } from '../../src/errors.ts';
import { writeIso } from '../../src/iso9660/writer/write.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { inspect } from '../../src/live/inspect.ts';
import { bootableIso } from '../boot/bootable.ts';

/** As in drafts of a generic layout: kernel, initramfs and menus, but no embed area. */
const generic = () =>
  bootableIso({
    change: (files) => {
      for (const path of ['coreos/igninfo.json', 'coreos/kargs.json', 'images/ignition.img']) delete files[path];
    },
  });

const INSTEAD = [
  { kind: 'tail', path: '/images/pxeboot/initrd.img' },
  { kind: 'menu', path: '/EFI/fedora/grub.cfg' },
  { kind: 'menu', path: '/isolinux/isolinux.cfg' },
  { kind: 'disc' },
];

test('lists alternatives in the error for an image without an embed area', async () => {
  const error = await openLiveImage(await generic()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(IsoError);
  expect(error).toMatchObject({
    code: 'ISO_NOT_LIVE',
    help:
      'the image has no embed area; rebuild it with an archive that holds config.ign at the end of /images/pxeboot/initrd.img, ' +
      'or rebuild it with ignition.config.url=URL among the kernel arguments in /EFI/fedora/grub.cfg and /isolinux/isolinux.cfg, ' +
      'or boot it with a second disc where its platform reads the config from one',
  });
});

test('lists alternatives in the features, for programs', async () => {
  expect((await inspect(await generic())).features).toEqual({
    installerConfig: true,
    liveInitrdNetwork: true,
    installerConfigDirectives: {},
    instead: INSTEAD,
  });
});

test('lists no alternatives for an image with an area, even a damaged one', async () => {
  const whole = await inspect(await bootableIso());
  expect(whole.features).not.toHaveProperty('instead');
  const damaged = await bootableIso({
    change: (files) => {
      delete files['images/ignition.img'];
    },
  });
  const error: unknown = await openLiveImage(damaged).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'ISO_NOT_LIVE', help: undefined });
});

test('lists no alternatives for an ISO with only files', async () => {
  const { source } = await writeIso([{ kind: 'file', path: '/a', content: 'hello' }], { volumeId: 'FILES' });
  const error: unknown = await openLiveImage(source).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'ISO_NOT_LIVE', help: undefined });
});
