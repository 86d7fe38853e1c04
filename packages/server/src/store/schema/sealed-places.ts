import type { SealedPlace } from '../../crypto/vault.ts';

/** The places of a job's sealed values, which writer and reader must name alike. */
export function encryptedFieldsPlace(jobId: string): SealedPlace {
  return { table: 'jobs', column: 'encrypted_fields', row: jobId };
}

export function resultPlace(jobId: string): SealedPlace {
  return { table: 'jobs', column: 'result', row: jobId };
}

/** All chunks of one artifact. */
export function artifactPlace(artifactId: string): SealedPlace {
  return { table: 'artifact_chunks', column: 'bytes', row: artifactId };
}

/** Credentials of a link and of a bank account, deleted when it is unlinked. */
export function linkCredentialPlace(accountLinkId: string): SealedPlace {
  return { table: 'account_links', column: 'credential', row: accountLinkId };
}

export function bankAccountPlace(bankAccountCredentialId: string): SealedPlace {
  return { table: 'bank_accounts', column: 'credential', row: bankAccountCredentialId };
}

/** The billing key of a registered card, deleted when another card replaces it. */
export function billingKeyPlace(customerKey: string): SealedPlace {
  return { table: 'payment_methods', column: 'billing_key', row: customerKey };
}

/** The authorization server's data of one code, token or interaction. */
export function oauthArtifactPlace(kind: string, idHash: string): SealedPlace {
  return { table: 'oauth_artifacts', column: 'payload', row: `${kind}:${idHash}` };
}

/** Metadata of an OAuth client, its secret included. */
export function oauthClientPlace(clientId: string): SealedPlace {
  return { table: 'oauth_clients', column: 'metadata', row: clientId };
}

/** The key of an organization's keyed hashes. */
export function identityKeyPlace(organizationId: number): SealedPlace {
  return { table: 'organization_keys', column: 'identity_key', row: String(organizationId) };
}

/** The secret of an authenticator app. */
export function factorSecretPlace(factorId: string): SealedPlace {
  return { table: 'factors', column: 'secret', row: factorId };
}

/** Secrets and private keys of an endpoint. */
export function webhookKeysPlace(webhookId: string): SealedPlace {
  return { table: 'webhooks', column: 'keys', row: webhookId };
}

/** A message with a one-time link. */
export function letterPlace(letterId: string): SealedPlace {
  return { table: 'mail_outbox', column: 'letter', row: letterId };
}

/** What a login at an identity provider has come to so far. */
export function signInAttemptPlace(idHash: string): SealedPlace {
  return { table: 'sign_in_attempts', column: 'payload', row: idHash };
}

/** Tokens of an identity provider. */
export function vouchedTokensPlace(sessionId: string): SealedPlace {
  return { table: 'vouched_sessions', column: 'tokens', row: sessionId };
}
