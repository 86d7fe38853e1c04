import { write } from '../transactions/script.ts';

interface ConsentState {
  readonly stateHash: string;
  readonly organizationId: number;
  /** Kind and id of the principal; only this principal may use the state. */
  readonly createdBy: string;
  readonly provider: string;
  readonly features: readonly string[];
}

/** Consent flows in progress. */
export const consentStateScripts = {
  create: write(
    async (
      tx,
      input: ConsentState & { readonly ttlSeconds: number },
    ): Promise<{ readonly expiresAt: number }> => {
      const now = await tx.now();
      const expiresAt = now + input.ttlSeconds * 1000;
      await tx.db.deleteFrom('consent_states').where('expires_at', '<=', now).execute();
      await tx.db
        .insertInto('consent_states')
        .values({
          state_hash: input.stateHash,
          organization_id: input.organizationId,
          created_by: input.createdBy,
          provider: input.provider,
          features: JSON.stringify(input.features),
          created_at: now,
          expires_at: expiresAt,
        })
        .execute();
      return { expiresAt };
    },
  ),

  /** Consumes the state. False when there is none for this principal and provider, or it has expired. */
  consume: write(async (tx, input: Omit<ConsentState, 'features'>): Promise<boolean> => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('consent_states')
      .where('state_hash', '=', input.stateHash)
      .where('organization_id', '=', input.organizationId)
      .where('created_by', '=', input.createdBy)
      .where('provider', '=', input.provider)
      .where('expires_at', '>', await tx.now())
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }),
};
