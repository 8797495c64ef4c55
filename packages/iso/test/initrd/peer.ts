export { describePeer, hasPeer } from '../../../../test/support/peer.ts';
