import { ViewHistory } from './changes.ts';

/** Of all views, for as long as the page is open. */
export const looks: ViewHistory = new ViewHistory();
