import type { OrganizationRole } from '@changgu/contract';
import type { Generated } from 'kysely';

/** People who log in: console users of organizations, and operators. */
export interface PeopleTables {
  users: {
    id: Generated<number>;
    /** Lower case. Null once deleted, so that the address is free again. */
    email: string | null;
    name: string;
    /** E.164. */
    phone: string | null;
    /** Argon2id, PHC form. */
    password_hash: string | null;
    /** Grows with each password change: tokens with a lower one are invalid. */
    password_epoch: Generated<number>;
    /** When a secret sent to the address came back; null before. */
    email_verified_at: number | null;
    created_at: number;
    /** Since when an operator has disabled it. */
    disabled_at: number | null;
    deleted_at: number | null;
  };
  /** A user belongs to one organization. */
  members: {
    user_id: number;
    organization_id: number;
    role: OrganizationRole;
    /** Null for founders of an organization, and for members from before invitations. */
    joined_at: number | null;
  };
  /** In real time. Unconfirmed factors have no effect. */
  factors: {
    id: string;
    user_id: number;
    kind: 'totp' | 'passkey';
    label: string | null;
    /** Sealed: an app's secret, or a passkey's public key, so that none can be planted. */
    secret: Uint8Array;
    /** The last code that was used: no code works twice. */
    last_step: number | null;
    created_at: number;
    confirmed_at: number | null;
    last_used_at: number | null;
    /** The following belong to passkeys only, spelled as in WebAuthn. */
    credential_id: string | null;
    /** The same for all passkeys of a user, revealing nothing about the user. */
    user_handle: string | null;
    /** Comma-separated. */
    transports: string | null;
    /** The authenticator's signature counter; 0 if it does not count. */
    counter: number | null;
  };
  /** In real time. */
  used_passkey_attempts: {
    attempt_hash: string;
    expires_at: number;
  };
  recovery_codes: {
    user_id: number;
    /** SHA-256 of 80 random bits. */
    code_hash: string;
    used_at: number | null;
  };
  /** In real time. Open while neither accepted nor revoked: one per address. */
  invitations: {
    id: string;
    organization_id: number;
    /** Lower case. */
    email: string;
    role: OrganizationRole;
    /** SHA-256 of the link's secret. */
    token_hash: string;
    /** 1: the link was sent to the address, so its holder has proved the address. */
    mailed: number;
    invited_by: number;
    created_at: number;
    expires_at: number;
    accepted_at: number | null;
    revoked_at: number | null;
  };
  /** In real time. Without a user when the address is unknown. */
  one_time_links: {
    token_hash: string;
    kind: 'verify_email' | 'password_reset';
    user_id: number | null;
    email_hash: string;
    /** The user's epoch when the link was created: a password change invalidates it. */
    password_epoch: number | null;
    mailed: number;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  /** Messages waiting to be sent, in real time. */
  mail_outbox: {
    id: string;
    /** Sealed, including the recipient, because a message contains a one-time link. */
    letter: Uint8Array;
    /** 0: never sent; it exists only so that unknown addresses take as much time. */
    wanted: number;
    attempts: Generated<number>;
    next_attempt_at: number;
    expires_at: number;
  };
  /** Open logins, in real time. */
  console_sessions: {
    id: string;
    user_id: number;
    /** SHA-256 of the cookie's secret; null for a token's session. */
    secret_hash: string | null;
    /** The user's epoch at the login: a session with a lower one is invalid. */
    password_epoch: number;
    address: string;
    user_agent: string | null;
    created_at: number;
    last_used_at: number;
    expires_at: number;
    /** Until when an identity provider vouches for it; null: the person has proven it here. */
    vouched_until: number | null;
    /** 1: the provider vouches for a second factor too. */
    factor_vouched: number | null;
  };
  admins: {
    id: Generated<number>;
    email: string;
    token_epoch: Generated<number>;
    created_at: number;
    removed_at: number | null;
  };
  /** Addresses of recent successful logins. */
  known_login_addresses: {
    email_hash: string;
    address: string;
    at: number;
  };
  /** Limits that are in the audit log already. */
  noted_limits: {
    /** Hours of real time since 1970. */
    hour: number;
    act: string;
    /** In the form in which limits count addresses. */
    address: string;
    /** Id of the user; '' without one. */
    target: string;
  };
  /** Failed logins, in real time. */
  login_attempts: {
    seq: Generated<number>;
    /** SHA-256, because people may type a password into the address field. */
    email_hash: string;
    address: string;
    at: number;
  };
}
