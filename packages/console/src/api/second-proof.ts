import type { PasskeyProof } from '@changgu/contract';

/** The password again and, for users with a second factor, that one too. */
export interface SecondProof {
  readonly password: string;
  readonly factor_code?: string;
  readonly passkey?: PasskeyProof;
}
