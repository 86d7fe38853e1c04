import type { ConsentType } from '@changgu/contract/schemas';

export interface ConsentAct {
  readonly consentType: ConsentType;
  readonly action: 'GRANT' | 'REVOKE';
}

/**
 * Whether a revoked consent blocks new jobs. The last act of each type counts; all types except
 * MARKETING are required. `acts` are an organization's records, oldest first.
 */
export function consentBlocksJobs(acts: readonly ConsentAct[]): boolean {
  const lastWord = new Map(acts.map(({ consentType, action }) => [consentType, action]));
  lastWord.delete('MARKETING');
  return [...lastWord.values()].includes('REVOKE');
}
