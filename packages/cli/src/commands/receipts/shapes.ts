import type { ReceiptStatement } from '@changgu/sdk';
import type { Shape } from '../../output/shape.ts';

export const RECEIPT: Shape = {
  fields: ['number', 'job_id', 'action', 'status', 'had_effect', 'finished_at', 'receipt'],
  columns: ['number', 'job_id', 'action', 'status', 'had_effect', 'finished_at'],
  id: 'job_id',
};

/** A file with a receipt in it. */
export const RECEIPT_FILE: Shape = {
  fields: ['file', 'number', 'job_id', 'action', 'status', 'had_effect', 'finished_at'],
  columns: ['file', 'number', 'job_id', 'status'],
  id: 'file',
};

export const CHECKED: Shape = {
  fields: ['file', 'fault', 'number', 'job_id', 'action', 'status', 'had_effect', 'finished_at'],
  columns: ['file', 'fault', 'number', 'job_id', 'status', 'had_effect'],
  id: 'file',
};

/** What a line shows of a statement. */
export function statementRow({ number, jobId, action, finishedAt, outcome }: ReceiptStatement) {
  const { status, hadEffect } = outcome;
  return { number, jobId, action, status, hadEffect, finishedAt };
}
