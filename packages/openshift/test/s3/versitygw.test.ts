import { describeWithStore } from '../../../../test/support/stores.ts';
import { storeTests } from './store-suite.ts';

describeWithStore('versitygw', 'a fleet on versitygw', () => {
  storeTests('versitygw');
});
