import type { CatalogueInstitution } from '@changgu/contract/catalogue';

export const TOOLSETS = ['bank', 'tax', 'employment', 'insurance', 'other'] as const;
export type Toolset = (typeof TOOLSETS)[number];

const TOOLSET_OF: Readonly<Record<CatalogueInstitution['kind'], Toolset>> = {
  bank: 'bank',
  tax: 'tax',
  employment: 'employment',
  social_insurance: 'insurance',
  other: 'other',
};

/** Listed unless the caller chooses: together below 6,000 tokens. */
const DEFAULT_TOOLSETS: readonly Toolset[] = ['bank', 'tax', 'employment', 'other'];

/**
 * Which actions get their own tool in the list, by the header X-Mcp-Toolsets: `bank,insurance` or `all`. It narrows
 * the list, not the rights: every tool of the key can be called. Unknown names select nothing.
 */
export function toolsetsOf(header: string | null): ReadonlySet<Toolset> {
  const wanted = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (wanted.includes('all')) return new Set(TOOLSETS);
  const known = TOOLSETS.filter((name) => wanted.includes(name));
  return new Set(header === null || header.trim() === '' ? DEFAULT_TOOLSETS : known);
}

export function toolsetOf({ kind }: Pick<CatalogueInstitution, 'kind'>): Toolset {
  return TOOLSET_OF[kind];
}
