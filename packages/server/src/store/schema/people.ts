import type { OrganizationRole } from '@changgu/contract';
import type { Generated } from 'kysely';

/** Who logs in: console users of organizations, and operators. */
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
    /** Grows with each password change: tokens of an earlier one are void. */
    password_epoch: Generated<number>;
    /** When something that was sent to the address came back; null before. */
    email_verified_at: number | null;
    created_at: number;
    /** Since when an operator has switched it off. */
    disabled_at: number | null;
    deleted_at: number | null;
  };
  /** A user belongs to one organization. */
  members: {
    user_id: number;
    organization_id: number;
    role: OrganizationRole;
    /** Null for those who founded the organization or came before invitations. */
    joined_at: number | null;
  };
  /** In real time. Unconfirmed ones count for nothing. */
  factors: {
    id: string;
    user_id: number;
    kind: 'totp' | 'passkey';
    label: string | null;
    /** Sealed: of an app its secret, of a passkey the public key, so that none can be planted. */
    secret: Uint8Array;
    /** Of the last code that was used: no code works twice. */
    last_step: number | null;
    created_at: number;
    confirmed_at: number | null;
    last_used_at: number | null;
    /** These are of passkeys alone, in the spelling of WebAuthn. */
    credential_id: string | null;
    /** The same for all passkeys of a user, and says nothing about them. */
    user_handle: string | null;
    /** With commas between. */
    transports: string | null;
    /** Signatures that the authenticator has made; 0 where it does not count. */
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
    /** SHA-256 of what the link carries. */
    token_hash: string;
    /** 1: the link was sent to the address, so that who has it has proven the address. */
    mailed: number;
    invited_by: number;
    created_at: number;
    expires_at: number;
    accepted_at: number | null;
    revoked_at: number | null;
  };
  /** In real time. Without a user where the address is unknown. */
  one_time_links: {
    token_hash: string;
    kind: 'verify_email' | 'password_reset';
    user_id: number | null;
    email_hash: string;
    /** Of the user when the link was made: another password voids it. */
    password_epoch: number | null;
    mailed: number;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  /** Letters that wait to be sent, in real time. */
  mail_outbox: {
    id: string;
    /** Sealed, the recipient too: a letter holds a one-time link. */
    letter: Uint8Array;
    /** 0: it is never sent; it is there for the time that it takes. */
    wanted: number;
    attempts: Generated<number>;
    next_attempt_at: number;
    expires_at: number;
  };
  /** Logins in force, in real time. */
  console_sessions: {
    id: string;
    user_id: number;
    /** SHA-256 of what the cookie holds; null for the session of a token. */
    secret_hash: string | null;
    /** Of the user at the login: a session of an earlier one is void. */
    password_epoch: number;
    address: string;
    user_agent: string | null;
    created_at: number;
    last_used_at: number;
    expires_at: number;
  };
  admins: {
    id: Generated<number>;
    email: string;
    token_epoch: Generated<number>;
    created_at: number;
    removed_at: number | null;
  };
  /** Where logins have succeeded of late. */
  known_login_addresses: {
    email_hash: string;
    address: string;
    at: number;
  };
  /** Logins that have not succeeded, in real time. */
  login_attempts: {
    seq: Generated<number>;
    /** SHA-256: what people type into the address field may be a password. */
    email_hash: string;
    address: string;
    at: number;
  };
}
