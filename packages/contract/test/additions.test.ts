import { describe, expect, it } from 'vitest';
import { INSTITUTIONS } from '../src/actions/index.ts';
import { isSchema, type JsonSchema } from '../src/json-schema.ts';
import { buildOpenApi } from '../src/openapi.ts';
import { OPERATIONS } from '../src/operations/index.ts';

/**
 * The fields that the base specification and its decisions give to each schema; those inside a field after a dot.
 * @see docs/specification/README.md
 */
const FIELDS: Readonly<Record<string, string>> = {
  // Jobs
  JobSubmitRequest: 'provider action account_link_id params encrypted_fields',
  JobSubmitResponse: 'job_id status env_scope provider action submitted_at',
  JobReadResponse:
    'job_id status env_scope provider action submitted_at started_at finished_at retry_count progress progress_message retry_after_seconds error',
  JobError: 'code message retryable provider_error_ref upstream_status',
  JobResultResponse: 'job_id status result finished_at',
  JobResult: 'schema data download_url artifacts',
  Artifact: 'artifact_id name content_type size_bytes sha256 expires_at expired download_url',
  ArtifactDeletionResponse: 'job_id deleted_count',
  AllAccountsRequest: 'provider action account_link_id bank_account_credential_ids params',
  AllAccountsResponse:
    'env_scope provider action submitted_at account_count submitted_count accounts next interruption interruption.code interruption.message interruption.reason',
  AllAccountsLine:
    'account_link_id bank_account_credential_id masked_account_no job_id status reason',
  AllAccountsNext: 'retry_after_seconds bank_account_credential_ids message',
  EncryptionJwks: 'keys',
  EncryptionJwk: 'kid kty alg use n e',
  // Account links
  LinkRequest:
    'provider cert_data key_data encrypted_pw random_enc login_id login_password display_label authorization_code state cert_name is_primary confirm biz_number business_name cert_oid exclude_providers serverTransmissionData',
  LinkResponse:
    'account_link_id provider auth_type display_label is_primary status cert fan_out fan_out.provider fan_out.account_link_id registered_at',
  RelinkResponse:
    'account_link_id provider auth_type display_label is_primary status cert fan_out fan_out.provider fan_out.account_link_id registered_at changed',
  LinkCertificate: 'subject_cn issuer serial not_after oid',
  ConsentUrlRequest: 'provider features',
  ConsentUrlResponse: 'consent_url state expires_at',
  SelectedAssetsRequest: 'selected_assets',
  SelectedAssetsResponse: 'account_link_id selected_assets',
  UnlinkRequest: 'unlink_reason',
  UnlinkResponse: 'account_link_id status unlink_reason unlinked_at',
  BankAccountLinkRequest: 'account_no account_password',
  BankAccountUpdateRequest: 'account_password',
  BankAccountRecord: 'bank_account_credential_id masked_account_no status is_default registered_at',
  BankAccountListResponse: 'items',
  // Keys and people
  AppCredentialIssueRequest: 'label allowed_env_scopes integration_profile',
  AppCredentialIssueResponse:
    'client_id client_secret label allowed_env_scopes integration_profile status created_at',
  AppCredentialRevokeRequest: 'revoked_reason',
  AppCredentialRevokeResponse: 'client_id status revoked_at revoked_reason',
  HandoffExchangeRequest: 'handoff_token',
  HandoffExchangeResponse: 'client_id client_secret',
  RegisterRequest:
    'email password name phone company_name business_number agree_terms agree_privacy',
  RegisterResponse: 'user_id email name organization_id membership_tier created_at',
  LoginRequest: 'email password',
  LoginResponse:
    'access_token token_type expires_in user user.user_id user.email user.name organization organization.organization_id organization.name organization.role',
  PasswordChangeRequest: 'current_password new_password',
  PasswordChangeResponse: 'changed_at access_token expires_in',
  DeletionRequest: 'password reason_text',
  DeletionResponse: 'request_uuid status requested_at scheduled_at',
  DeletionCancelRequest: 'password reason',
  DeletionCancelResponse: 'request_uuid status canceled_at',
  EnvAccessRequest: 'requested_target_env reason_text',
  EnvAccessRecord: 'request_id requested_target_env status created_at decided_at',
  ConsentRequest: 'consent_type action',
  ConsentRecord: 'consent_id consent_type action recorded_at',
  IntegratorApplicationRequest:
    'company_name contact_email terms_agreed use_case_text expected_customer_count requested_plan_code',
  IntegratorReissueRequest:
    'company_name contact_email terms_agreed use_case_text expected_customer_count requested_plan_code reissue_reason revoke_client_id',
  IntegratorApplicationRecord:
    'application_id status company_name contact_email use_case_text expected_customer_count requested_plan_code reissue_reason revoke_client_id submitted_at decided_at',
  OAuthApproveRequest: 'organization_id',
  OAuthInteractionResponse: 'redirect_to',
  MembershipResponse:
    'success policy_decision_id principal_kind organization_id organization_role membership_tier plan_name subscription_status quota_after quota_month_after demo_ends_at rate_limit_after',
  Quota: 'limit used remaining reset_at period',
  RateLimit: 'window_seconds limit used remaining reset_at',
  // Catalog and billing
  ProductListResponse: 'items next_cursor',
  ProductRecord:
    'id code name description provider action category usage_tokens irreversible mcp_public inputs inputs.key inputs.type inputs.required current_version created_at updated_at',
  ProductCreateRequest: 'code name description category initial_version',
  ProductCreateResponse:
    'id code name description provider action category usage_tokens irreversible mcp_public inputs inputs.key inputs.type inputs.required current_version created_at updated_at initial_version',
  ProductVersionRequest:
    'version provider action params_schema_ref result_schema_ref pricing_hint rate_limit_hint metadata publish_immediately',
  CurrentVersionSummary: 'id version version_status provider action',
  InitialVersionEcho: 'id version version_status provider action published_at',
  InvoiceListResponse: 'items next_cursor',
  Invoice:
    'invoice_id organization_id subscription_id env_scope invoice_number status subtotal_amount_minor tax_amount_minor total_amount_minor currency period_start period_end issued_at due_at paid_at voided_at items created_at',
  InvoiceItem:
    'invoice_item_id description quantity unit_amount_minor amount_minor currency item_kind period_start period_end',
  OfflineProfileRequest: 'company_name business_number tax_email payment_terms_days',
  OfflineProfileRecord:
    'organization_id env_scope company_name business_number tax_email payment_terms_days',
  BillingAuthSessionResponse: 'customer_key client_key session_proof',
  // Tools, errors and health
  HealthResponse: 'status service version time',
  McpRequest: 'jsonrpc id method params',
  McpResponse: 'jsonrpc id result error error.code error.message error.data',
  McpErrorData:
    'reason error_code safe_to_retry next_action next_step next_step.tool next_step.arguments',
  ErrorEnvelope:
    'error error.code error.message error.retryable error.provider_error_ref error.trace_id error.fields',
  ErrorField: 'loc msg type',
};

const document = buildOpenApi({ operations: OPERATIONS, institutions: INSTITUTIONS });
const schemas: Readonly<Record<string, JsonSchema>> = document.components.schemas ?? {};

/** Names of unmarked fields, those of inner objects too. What has a name of its own is looked at by that. */
function unmarked(schema: JsonSchema, prefix = ''): string[] {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly items?: JsonSchema;
    readonly anyOf?: readonly JsonSchema[];
  };
  const own = Object.entries(properties)
    .filter(([, field]) => !field['x-addition'])
    .flatMap(([name, field]) => [`${prefix}${name}`, ...unmarked(field, `${prefix}${name}.`)]);
  const inner = [...(items ? [items] : []), ...anyOf].flatMap((part) => unmarked(part, prefix));
  return [...new Set([...own, ...inner])];
}

/** The named schemas that a part of the document uses without a mark, and those that they use. */
function used(part: unknown, found = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return found;
  if ('x-addition' in part) return found;
  const name = isSchema(part) ? /^#\/components\/schemas\/(.+)$/.exec(String(part.$ref))?.[1] : '';
  if (name && !found.has(name)) {
    found.add(name);
    used(schemas[name], found);
  }
  for (const value of Object.values(part)) used(value, found);
  return found;
}

describe('what goes beyond the specification is marked (D140)', () => {
  it.each(Object.entries(FIELDS))(
    '%s has these fields, and others only with the mark',
    (name, fields) => {
      expect(unmarked(schemas[name] ?? {}).toSorted()).toEqual(fields.split(' ').toSorted());
    },
  );

  it('of everything that a specified operation takes and answers', () => {
    const specified = OPERATIONS.filter(({ addition, tag }) => !addition && tag !== 'tax-portal');
    const names = specified.flatMap(({ path, method }) => {
      const { requestBody, responses } = document.paths[path]?.[method.toLowerCase()] ?? {};
      return [...used(requestBody), ...used(responses)];
    });
    const inUse = [...new Set(names)].filter((name) => unmarked(schemas[name] ?? {}).length > 0);
    expect(inUse.toSorted()).toEqual(Object.keys(FIELDS).toSorted());
  });
});
