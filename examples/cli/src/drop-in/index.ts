// All commands that stand in for coreos-installer, in one piece: loading many small ones takes longer than this one. What
// only a few of them need is loaded by those.
export { extractInitrd } from './dev-extract.ts';
export { showFiemap, showInitrd, showIso } from './dev-show.ts';
export { customize as customizeIso } from './iso-customize.ts';
export { extractMinimalIso, extractPxe } from './iso-extract.ts';
export {
  embed as embedIgnition,
  embedByOldName,
  remove as removeIgnition,
  removeByOldName,
  show as showIgnition,
  showByOldName,
} from './iso-ignition.ts';
export { modify as modifyKargs, reset as resetKargs, show as showKargs } from './iso-kargs.ts';
export { embed as embedNetwork, extract as extractNetwork, remove as removeNetwork } from './iso-network.ts';
export { reset as resetIso } from './iso-reset.ts';
export { packMinimalIso, packOsmet } from './pack.ts';
export { customize as customizePxe } from './pxe-customize.ts';
export { unwrapIgnition, unwrapNetwork, wrapIgnition, wrapNetwork } from './pxe-wrap.ts';
