import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';

/** That of the file: `content_type` of the artifact. */
const ANY_TYPE = '*/*';

export const downloadArtifact = defineOperation({
  id: 'downloadArtifact',
  method: 'GET',
  path: '/v1/artifacts/{artifact_id}/download',
  tag: 'artifacts',
  summary: 'Download a file by its signed URL',
  description:
    'The signature in the query string authorizes the download. The URL is valid for 15 minutes.',
  may: 'anyone',
  environment: 'none',
  requestHeaders: { Range: 'One byte range', 'If-Range': 'The ETag that the range belongs to' },
  params: Type.Object({ artifact_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  query: Type.Object({
    exp: Type.Optional(Type.String({ maxLength: 16 })),
    sig: Type.Optional(Type.String({ maxLength: 128 })),
  }),
  responses: {
    200: {
      description: 'The file',
      contentType: ANY_TYPE,
      headers: { ETag: 'sha256 of the bytes' },
    },
    206: { description: 'A range of the file', contentType: ANY_TYPE },
  },
  errors: [
    'ARTIFACT_NOT_FOUND',
    'ARTIFACT_EXPIRED',
    'ARTIFACT_URL_EXPIRED',
    'ARTIFACT_RANGE_NOT_SATISFIABLE',
  ],
});
