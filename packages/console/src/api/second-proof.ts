import type { PasskeyProof } from '@changgu/contract';

/** The password again, where the user has one here, and, for users with a second factor, that one too. */
export interface SecondProof {
  readonly password?: string;
  readonly factor_code?: string;
  readonly passkey?: PasskeyProof;
}
