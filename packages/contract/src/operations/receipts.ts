import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { JobPath } from '../schemas/job.ts';
import { pageLimit } from '../schemas/paging.ts';
import { Receipt, ReceiptJwks, ReceiptListResponse } from '../schemas/receipt.ts';
import { strict } from '../schemas/vocabulary.ts';

const reader = { client: true, console_user: 'MEMBER' } as const;

export const readReceipt = defineOperation({
  id: 'readReceipt',
  method: 'GET',
  path: '/v1/jobs/{job_id}/receipt',
  tag: 'receipts',
  summary: 'Get the signed receipt of a job',
  description:
    'Every job that passed its point of no return has a receipt once it has ended, however it ended. It stays when the job itself is removed.',
  may: reader,
  scope: 'jobs:read',
  environment: 'required',
  params: JobPath,
  responses: { 200: { description: 'The receipt', schema: Receipt } },
  errors: ['JOB_NOT_FOUND', 'RECEIPT_NOT_FOUND'],
  notFound: { job_id: 'JOB_NOT_FOUND' },
  addition: true,
});

export const listReceipts = defineOperation({
  id: 'listReceipts',
  method: 'GET',
  path: '/v1/receipts',
  tag: 'receipts',
  summary: 'List receipts, oldest first',
  description:
    'Receipts of the organization in this environment, in the order of their numbers. A key that may run only some actions sees only theirs, so that numbers between them are left out.',
  may: reader,
  scope: 'jobs:read',
  environment: 'required',
  query: Type.Object(
    {
      limit: pageLimit,
      cursor: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}$',
          description: 'The number of the last receipt that is known already',
        }),
      ),
    },
    strict,
  ),
  responses: { 200: { description: 'One page', schema: ReceiptListResponse } },
  errors: [],
  addition: true,
});

export const readReceiptKeys = defineOperation({
  id: 'readReceiptKeys',
  method: 'GET',
  path: '/v1/receipts/keys',
  tag: 'receipts',
  summary: 'Get the public keys that verify receipts',
  description: 'Every key that has ever signed a receipt stays in this set.',
  may: 'anyone',
  environment: 'none',
  responses: {
    200: {
      description: 'A JSON Web Key Set',
      schema: ReceiptJwks,
      headers: { 'Cache-Control': 'public, max-age=300' },
    },
  },
  errors: [],
  addition: true,
});
