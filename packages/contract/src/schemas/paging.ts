import { Type } from 'typebox';
import { LIMITS } from '../limits.ts';

const { min: minimum, max: maximum, default: usual } = LIMITS.page;

export const pageLimit = Type.Optional(Type.Integer({ minimum, maximum, default: usual }));

/** A page of a list whose cursors only the server reads. */
export const page = {
  limit: pageLimit,
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
};

/** A page of a list whose cursors are the numbers of its rows. */
export const numberedPage = {
  limit: pageLimit,
  cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
};
