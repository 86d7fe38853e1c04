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
    created_at: number;
    deleted_at: number | null;
  };
  /** A user belongs to one organization. */
  members: {
    user_id: number;
    organization_id: number;
    role: OrganizationRole;
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
