export { type DrawnNetwork, drawNetworks } from './draw/draw-networks.ts';
export { evaluatePolicy } from './evaluate-policy.ts';
export {
  type Addresses,
  bond,
  ethernet,
  type InterfaceOptions,
  linuxBridge,
  ovsBridge,
  route,
  rule,
  vlan,
} from './form/builders.ts';
export { toForm } from './form/read-form.ts';
export type { AddressForm, BondMode, InterfaceForm, NetworkForm, RouteForm, RuleForm } from './form/types.ts';
export { type FormOptions, fromForm } from './form/write-form.ts';
export { linksOf, type NetworkLink } from './state/links.ts';
