import type { JsonObject } from '../connector.ts';
import { textParam } from '../params.ts';
import type { Board } from './boards.ts';

/**
 * Search form fields for the given params; `query` is an alias of `srch_txt`.
 * Built from params only, because results echo them.
 */
export function searchFields({ search }: Board, params: JsonObject): Record<string, string> {
  const values = {
    ...params,
    srch_txt: textParam(params, 'srch_txt') ?? textParam(params, 'query'),
  };
  const fields = Object.entries(search).map(
    ([param, field]) => [field, textParam(values, param) ?? ''] as const,
  );
  return {
    ...Object.fromEntries(fields),
    currentPageNo: textParam(params, 'current_page_no') ?? '1',
  };
}
