/**
 * Stands for whatever is not shown.
 *
 * @example message.replace(value, HIDDEN)
 */
export const HIDDEN = '<redacted>';
