import type { ConsentType } from '@changgu/contract/schemas';

export interface ConsentAct {
  readonly consentType: ConsentType;
  readonly action: 'GRANT' | 'REVOKE';
}

/** Whether jobs need it. */
const IS_REQUIRED: Readonly<Record<ConsentType, boolean>> = {
  TERMS_OF_SERVICE: true,
  PRIVACY_POLICY: true,
  CREDENTIAL_STORAGE: true,
  THIRD_PARTY_PROVISION: true,
  MARKETING: false,
};

/** The keys of the table above. */
export const CONSENT_TYPES = Object.keys(IS_REQUIRED) as readonly ConsentType[];

/**
 * Whether a revoked consent blocks new jobs. The last act of each type counts. `acts` are an organization's records,
 * oldest first.
 */
export function consentBlocksJobs(acts: readonly ConsentAct[]): boolean {
  const lastWord = new Map(acts.map(({ consentType, action }) => [consentType, action]));
  return [...lastWord].some(([type, action]) => IS_REQUIRED[type] && action === 'REVOKE');
}
