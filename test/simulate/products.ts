import type * as files from './product/files.ts';
import type * as fleet from './product/fleet.ts';
import type * as store from './product/store.ts';
import type * as wait from './product/wait.ts';
import type * as watch from './product/watch.ts';

/** The exports of the entries in `product/`. */
export type Files = typeof files;
export type Fleet = typeof fleet;
export type Store = typeof store;
export type Wait = typeof wait;
export type Watch = typeof watch;
