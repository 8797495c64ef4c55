import { ViewHistory } from './changes.ts';

/** The looks of all views, for as long as the page is open. */
export const looks: ViewHistory = new ViewHistory();
