import { LastLooks } from './changes.ts';

/** Of all views, for as long as the page is open. */
export const looks: LastLooks = new LastLooks();
