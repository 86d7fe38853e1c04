/** Rows that one transaction ends or deletes, so that others wait no longer than that for it. */
export const BATCH_ROWS = 500;
