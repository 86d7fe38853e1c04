import { type Static, Type } from 'typebox';
import { PasskeyProof } from './passkey.ts';
import { nameOf, OwnPassword } from './person-fields.ts';
import { KstTime, nullable, oneOf, strict, UuidV4 } from './vocabulary.ts';

export const FACTOR_KINDS = ['totp', 'passkey'] as const;

/** Six digits of an authenticator app, or a recovery code. */
export const FactorCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Six digits of the authenticator app, or a recovery code',
});

export const FactorRecord = Type.Object(
  {
    factor_id: UuidV4,
    kind: oneOf(FACTOR_KINDS),
    label: nullable(Type.String()),
    created_at: KstTime,
    last_used_on: nullable(
      Type.String({ format: 'date', description: 'Day of the last use, Korean time' }),
    ),
  },
  { $id: 'FactorRecord', ...strict },
);
export type FactorRecord = Static<typeof FactorRecord>;

export const FactorListResponse = Type.Object(
  {
    items: Type.Array(FactorRecord),
    recovery_codes_left: Type.Integer({ minimum: 0 }),
    required: Type.Boolean({ description: 'The organization requires a second factor' }),
  },
  { $id: 'FactorListResponse', ...strict },
);
export type FactorListResponse = Static<typeof FactorListResponse>;

/** Besides the password, of who has a second factor: one of the two. */
const secondProof = {
  factor_code: Type.Optional(FactorCode),
  passkey: Type.Optional(PasskeyProof),
};

export const FactorAddRequest = Type.Object(
  {
    kind: Type.Literal('totp', { description: 'A passkey begins with its options' }),
    password: OwnPassword,
    ...secondProof,
    label: Type.Optional(nullable(nameOf(100))),
  },
  { $id: 'FactorAddRequest', ...strict },
);
export type FactorAddRequest = Static<typeof FactorAddRequest>;

export const FactorAddResponse = Type.Object(
  {
    factor_id: UuidV4,
    secret: Type.String({ description: 'Base32, for an app without a camera' }),
    otpauth_url: Type.String({ description: 'For a QR code' }),
  },
  { $id: 'FactorAddResponse', ...strict },
);
export type FactorAddResponse = Static<typeof FactorAddResponse>;

export const FactorConfirmRequest = Type.Object(
  { code: FactorCode },
  { $id: 'FactorConfirmRequest', ...strict },
);
export type FactorConfirmRequest = Static<typeof FactorConfirmRequest>;

export const RecoveryCodesResponse = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Each works once instead of a code of the app; shown only here',
    }),
  },
  { $id: 'RecoveryCodesResponse', ...strict },
);
export type RecoveryCodesResponse = Static<typeof RecoveryCodesResponse>;

/** Both proofs again, before a factor goes or recovery codes are replaced. */
export const FactorProofRequest = Type.Object(
  { password: OwnPassword, ...secondProof },
  { $id: 'FactorProofRequest', ...strict },
);
export type FactorProofRequest = Static<typeof FactorProofRequest>;

export const FactorRemoveResponse = Type.Object(
  { factor_id: UuidV4, status: Type.Literal('REMOVED') },
  { $id: 'FactorRemoveResponse', ...strict },
);
export type FactorRemoveResponse = Static<typeof FactorRemoveResponse>;

export const PasskeyBeginRequest = Type.Object(
  { password: OwnPassword, ...secondProof },
  { $id: 'PasskeyBeginRequest', ...strict },
);
export type PasskeyBeginRequest = Static<typeof PasskeyBeginRequest>;

export const FactorRenameRequest = Type.Object(
  { label: nameOf(100) },
  { $id: 'FactorRenameRequest', ...strict },
);
export type FactorRenameRequest = Static<typeof FactorRenameRequest>;

export const PasskeyAddResponse = Type.Object(
  {
    factor: FactorRecord,
    recovery_codes: nullable(
      Type.Array(Type.String(), {
        description: 'With the first factor of the user, shown only here; null with a further one',
      }),
    ),
  },
  { $id: 'PasskeyAddResponse', ...strict },
);
export type PasskeyAddResponse = Static<typeof PasskeyAddResponse>;

/** What an OWNER requires of everyone in the organization. */
export const OrganizationSecurity = Type.Object(
  { second_factor_required: Type.Boolean() },
  { $id: 'OrganizationSecurity', ...strict },
);
export type OrganizationSecurity = Static<typeof OrganizationSecurity>;
