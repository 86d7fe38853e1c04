import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import { invalidValue, type ServiceError } from '../../rules/service-error.ts';

export const TOOLSETS = ['bank', 'tax', 'employment', 'insurance', 'other'] as const;
export type Toolset = (typeof TOOLSETS)[number];

const TOOLSET_OF: Readonly<Record<CatalogueInstitution['kind'], Toolset>> = {
  bank: 'bank',
  tax: 'tax',
  employment: 'employment',
  social_insurance: 'insurance',
  other: 'other',
};

/** Of the header, besides the names of toolsets. */
const ALL = 'all';
const NONE = 'none';

/**
 * Which actions get their own tool in the list: all, unless the header X-Mcp-Toolsets names some, as `bank,insurance`,
 * or `none` for the service's own tools only. It narrows the names that can be called, not the rights:
 * changgu__actions__run runs every action of the key.
 * @throws ServiceError for an unknown toolset: its tools would be missing without a word
 */
export function toolsetsOf(header: string | null): ReadonlySet<Toolset> {
  const wanted = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known: readonly string[] = [...TOOLSETS, ALL, NONE];
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw unknownToolsets(unknown, known);
  if (wanted.length === 0 || wanted.includes(ALL)) return new Set(TOOLSETS);
  return new Set(TOOLSETS.filter((name) => wanted.includes(name)));
}

/** A name is the caller's own text: shown only as far as it can be a name. */
function unknownToolsets(unknown: readonly string[], known: readonly string[]): ServiceError {
  const names = unknown.map((name) => name.replace(/[^\w.-]/g, '_').slice(0, 40)).slice(0, 5);
  const [shown, all] = [names.join(', '), known.join(', ')];
  return invalidValue(
    [
      {
        loc: ['header', 'X-Mcp-Toolsets'],
        msg: `Unknown toolsets: ${shown}. Known: ${all}`,
        type: 'value_error',
      },
    ],
    {
      ko: `X-Mcp-Toolsets의 ${shown}은(는) 없는 도구 모음입니다. 쓸 수 있는 이름: ${all}.`,
      en: `X-Mcp-Toolsets names unknown toolsets: ${shown}. Known names: ${all}.`,
    },
  );
}

export function toolsetOf({ kind }: Pick<CatalogueInstitution, 'kind'>): Toolset {
  return TOOLSET_OF[kind];
}
