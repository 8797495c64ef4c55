// The form of index.html: every change writes the YAML of the host again, and draws its network.
import { type BondMode, drawNetworks, linksOf } from '@coreiso/nmstate/forms';
import { hostConfig } from './static-network.ts';

const field = (name: string): string => document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? '';
const show = (id: string, text: string): void => document.getElementById(id)?.replaceChildren(text);

function update(): void {
  const isDual = field('ipv6Network') !== '';
  try {
    const { networkYaml } = hostConfig(
      {
        dns: field('dns'),
        vlanId: field('vlanId') === '' ? undefined : Number(field('vlanId')),
        ipv4: { machineNetwork: field('ipv4Network'), gateway: field('ipv4Gateway') },
        ipv6: isDual ? { machineNetwork: field('ipv6Network'), gateway: field('ipv6Gateway') } : undefined,
      },
      {
        macAddress: field('mac'),
        ipv4: field('ipv4'),
        ipv6: isDual ? field('ipv6') : undefined,
        bond: field('mac2') === '' ? undefined : { mode: field('bondMode') as BondMode, macAddress: field('mac2') },
      },
    );
    show('yaml', networkYaml);
    show('error', '');
    const picture = document.getElementById('picture');
    if (picture !== null) picture.innerHTML = drawNetworks([{ title: field('mac'), links: linksOf(networkYaml) }]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    show('error', error.message);
  }
}

document.querySelector('form')?.addEventListener('input', update);
update();
