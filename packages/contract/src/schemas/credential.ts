import { type Static, Type } from 'typebox';
import { UNLINK_REASONS } from '../values/unlink-reasons.ts';
import { PRINTABLE } from './person-fields.ts';
import { addition, JsonObject, KstTime, nullable, oneOf, strict, UuidV4 } from './vocabulary.ts';

export const LINK_TYPES = ['certificate', 'id_password', 'consent'] as const;
export type LinkType = (typeof LINK_TYPES)[number];

/** A customer's own account, or one made for an institution's test system. */
export const LINK_PURPOSES = ['real', 'test'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

export const LINK_STATUSES = ['ACTIVE', 'SUSPENDED', 'UNLINKED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

const Encrypted = (description: string) =>
  Type.Optional(nullable(Type.String({ description: `${description}, RSA-OAEP, base64` })));
const Text = (maxLength: number, description?: string) =>
  Type.Optional(
    nullable(
      Type.String({
        maxLength,
        pattern: PRINTABLE,
        ...(description === undefined ? {} : { description }),
      }),
    ),
  );

/** Body of POST /v1/credentials/link. Each institution says which set it needs. */
export const LinkRequest = Type.Object(
  {
    provider: Type.Optional(Type.String({ minLength: 1, default: 'tax_portal' })),
    cert_data: Encrypted('Certificate, DER'),
    key_data: Encrypted('Private key, PKCS#8 DER under its password'),
    pkcs12_data: Type.Optional(
      addition(
        nullable(
          Type.String({
            description:
              'Certificate and private key in one file under their password, PKCS#12 (.p12, .pfx), RSA-OAEP, base64',
          }),
        ),
      ),
    ),
    encrypted_pw: Encrypted('Password of the private key, or of the PKCS#12 file'),
    random_enc: Encrypted('Random value R of the private key'),
    login_id: Encrypted('User id'),
    login_password: Encrypted('Password'),
    display_label: Text(100, 'Display name of the link'),
    authorization_code: Text(2048, 'One-time code from the consent screen, not RSA-wrapped'),
    state: Text(256, 'State issued by the consent-url operation'),
    cert_name: Text(200, 'Certificate alias'),
    is_primary: Type.Optional(Type.Boolean({ default: false })),
    purpose: Type.Optional(
      oneOf(LINK_PURPOSES, {
        description:
          'Whether the credential is a real account or one of a test system. It cannot be changed. Default: test where the server has no production address of the institution, else real',
        'x-addition': true,
      }),
    ),
    confirm: Type.Optional(
      Type.Boolean({ default: false, description: 'Change the password of a registered id' }),
    ),
    biz_number: Text(20, 'Business registration number'),
    business_name: Text(200),
    cert_oid: Text(100, 'Certificate policy OID'),
    exclude_providers: Type.Optional(
      nullable(
        Type.Array(Type.String(), {
          maxItems: 100,
          description: 'Providers that the certificate must not be linked to as well',
        }),
      ),
    ),
    serverTransmissionData: Encrypted('Legacy: all of the above as one JSON object'),
  },
  { $id: 'LinkRequest', ...strict },
);
export type LinkRequest = Static<typeof LinkRequest>;

export const LinkCertificate = Type.Object(
  {
    subject_cn: Type.String(),
    issuer: Type.String(),
    serial: Type.String(),
    not_after: KstTime,
    oid: nullable(Type.String()),
  },
  { $id: 'LinkCertificate', ...strict },
);
export type LinkCertificate = Static<typeof LinkCertificate>;

const link = {
  account_link_id: UuidV4,
  provider: Type.String(),
  auth_type: oneOf(LINK_TYPES),
  display_label: nullable(Type.String()),
  is_primary: Type.Boolean(),
  purpose: addition(nullable(oneOf(LINK_PURPOSES))),
  cert: nullable(LinkCertificate),
  registered_at: KstTime,
};
const fanOut = Type.Array(
  Type.Object({ provider: Type.String(), account_link_id: UuidV4 }, strict),
  { description: 'Links at other institutions that the certificate was also registered for' },
);

export const LinkResponse = Type.Object(
  { ...link, status: Type.Literal('ACTIVE'), fan_out: fanOut },
  { $id: 'LinkResponse', ...strict },
);
export type LinkResponse = Static<typeof LinkResponse>;

/** The same identity again. */
export const RelinkResponse = Type.Object(
  {
    ...link,
    status: oneOf(['ACTIVE', 'SUSPENDED']),
    fan_out: fanOut,
    changed: Type.Boolean({ description: 'Whether the stored credential was replaced' }),
  },
  { $id: 'RelinkResponse', ...strict },
);
export type RelinkResponse = Static<typeof RelinkResponse>;

export const AccountLinkRecord = Type.Object(
  {
    ...link,
    status: oneOf(LINK_STATUSES),
    biz_number: nullable(Type.String()),
    business_name: nullable(Type.String()),
    selected_assets: nullable(JsonObject),
    unlinked_at: nullable(KstTime),
    unlink_reason: nullable(oneOf(UNLINK_REASONS)),
  },
  { $id: 'AccountLinkRecord', ...strict },
);
export type AccountLinkRecord = Static<typeof AccountLinkRecord>;

export const AccountLinkListResponse = Type.Object(
  { items: Type.Array(AccountLinkRecord) },
  { $id: 'AccountLinkListResponse', ...strict },
);
export type AccountLinkListResponse = Static<typeof AccountLinkListResponse>;

export const ConsentUrlRequest = Type.Object(
  {
    provider: Type.String({ minLength: 1 }),
    features: Type.Optional(nullable(Type.Array(Type.String(), { maxItems: 20 }))),
    purpose: Type.Optional(
      oneOf(LINK_PURPOSES, {
        description:
          'Which bank is asked: the real one, or its test system. The link gets this purpose. Default as in the link request',
        'x-addition': true,
      }),
    ),
    account_link_id: Type.Optional(
      nullable(
        Type.String({
          format: 'uuid4',
          minLength: 1,
          description:
            'The link whose consent is renewed; it keeps its bank accounts, assets and purpose',
          'x-addition': true,
        }),
      ),
    ),
  },
  { $id: 'ConsentUrlRequest', ...strict },
);
export type ConsentUrlRequest = Static<typeof ConsentUrlRequest>;

export const ConsentUrlResponse = Type.Object(
  { consent_url: Type.String(), state: Type.String(), expires_at: KstTime },
  { $id: 'ConsentUrlResponse', ...strict },
);
export type ConsentUrlResponse = Static<typeof ConsentUrlResponse>;

export const SelectedAssetsRequest = Type.Object(
  { selected_assets: nullable(JsonObject) },
  { $id: 'SelectedAssetsRequest', ...strict },
);
export type SelectedAssetsRequest = Static<typeof SelectedAssetsRequest>;

export const SelectedAssetsResponse = Type.Object(
  { account_link_id: UuidV4, selected_assets: nullable(JsonObject) },
  { $id: 'SelectedAssetsResponse', ...strict },
);
export type SelectedAssetsResponse = Static<typeof SelectedAssetsResponse>;

export const UnlinkRequest = Type.Object(
  { unlink_reason: Type.Optional(nullable(oneOf(UNLINK_REASONS))) },
  { $id: 'UnlinkRequest', ...strict },
);
export type UnlinkRequest = Static<typeof UnlinkRequest>;

export const UnlinkResponse = Type.Object(
  {
    account_link_id: UuidV4,
    status: Type.Literal('UNLINKED'),
    unlink_reason: oneOf(UNLINK_REASONS),
    unlinked_at: KstTime,
  },
  { $id: 'UnlinkResponse', ...strict },
);
export type UnlinkResponse = Static<typeof UnlinkResponse>;
