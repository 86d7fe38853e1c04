import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import {
  hashSessionSecret,
  isSessionSecret,
  newSessionSecret,
} from '../principals/session-secret.ts';
import type { Store } from '../store/database.ts';
import { signInAttemptPlace } from '../store/schema/sealed-places.ts';
import type { AttemptSecrets, VouchedLogin } from './provider-client.ts';

/** A person at a provider, or in front of a question of ours. */
const ATTEMPT_MS = 600_000;

/** What the login is for. */
export type Target =
  | { readonly kind: 'console' }
  /** A request of an OAuth client. */
  | { readonly kind: 'interaction'; readonly uid: string }
  /** A user, logged in already, connects the account. */
  | { readonly kind: 'pin'; readonly userId: number };

/** How far a login has come. */
export type Attempt = { readonly provider: string; readonly target: Target } & (
  | { readonly stage: 'away'; readonly secrets: AttemptSecrets }
  | { readonly stage: 'join'; readonly login: VouchedLogin; readonly invitationId: string }
  | { readonly stage: 'factor'; readonly login: VouchedLogin; readonly userId: number }
);

export type Stage<Name extends Attempt['stage']> = Extract<Attempt, { stage: Name }>;

/** Logins under way, each known to one browser. */
export interface Attempts {
  /** Answers what the browser's cookie holds. */
  save(attempt: Attempt): Promise<string>;
  /** Used up by this. Null when it has ended, or began in another browser. */
  take(secret: string | null): Promise<Attempt | null>;
  /** Without using it up. */
  look(secret: string | null): Promise<Attempt | null>;
}

export function createAttempts({
  store: { signInAttempts },
  vault,
}: {
  readonly store: Pick<Store, 'signInAttempts'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
}): Attempts {
  async function read(
    secret: string | null,
    from: (idHash: string) => Promise<Uint8Array | null>,
  ): Promise<Attempt | null> {
    if (secret === null || !isSessionSecret(secret)) return null;
    const idHash = hashSessionSecret(secret);
    const sealed = await from(idHash);
    if (sealed === null) return null;
    const bytes = await vault.open(SYSTEM_SCOPE, signInAttemptPlace(idHash), sealed);
    return JSON.parse(Buffer.from(bytes).toString());
  }

  return {
    async save(attempt) {
      const secret = newSessionSecret();
      const idHash = hashSessionSecret(secret);
      const plaintext = Buffer.from(JSON.stringify(attempt));
      const payload = await vault.seal(SYSTEM_SCOPE, signInAttemptPlace(idHash), plaintext);
      await signInAttempts.save({ idHash, payload, lifeMs: ATTEMPT_MS });
      return secret;
    },
    take: (secret) => read(secret, signInAttempts.take),
    look: (secret) => read(secret, signInAttempts.look),
  };
}
