import type { Generated } from 'kysely';
import type { RingName } from '../../crypto/ring-name.ts';

export interface KeyTables {
  /** Data keys wrapped by the master key; one per organization and one for `system`. */
  organization_keys: {
    /** Organization id as text, or `system`. */
    scope: string;
    wrapped: Uint8Array;
    /** How often it was replaced. */
    generation: Generated<number>;
    /** The previous one, while values are being re-encrypted. */
    previous: Uint8Array | null;
    /** 1 until a rotation in progress has replaced it. */
    rotation_due: Generated<number>;
    /** Sealed key of the keyed hashes that recognize an identity without revealing it. */
    identity_key: Uint8Array | null;
  };
  /** Private keys of the rings, sealed. Times are real. */
  ring_keys: {
    ring: RingName;
    kid: string;
    private_key: Uint8Array;
    created_at: number;
    retired_at: number | null;
  };
  /** The purpose of each received ciphertext. */
  bound_ciphertexts: {
    organization_id: number;
    hash: string;
    field: string;
    target: string | null;
    expires_at: number;
  };
}
