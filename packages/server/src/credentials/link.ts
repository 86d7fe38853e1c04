import type { LinkRequest, LinkResponse, RelinkResponse } from '@changgu/contract/schemas';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import { kstTime } from '../rules/kst.ts';
import { type GivenCredential, givenCredential } from '../rules/links/link-kind.ts';
import { defaultPurpose } from '../rules/links/link-purpose.ts';
import { actorOf } from '../rules/principals/actor.ts';
import type { Store } from '../store/database.ts';
import type { Presented } from './certificate-credential.ts';
import { fieldReader, notDecrypted } from './decrypt-values.ts';
import type { IdentityOf } from './identity.ts';
import { toCertificate } from './link-records.ts';
import { readBizNumber, unwrapLinkRequest } from './link-request.ts';
import { institutionOf, siblingProviders, type WaitingLinker } from './linker.ts';
import { type PresentDependencies, presentCredential } from './present.ts';
import {
  type LinkLabels,
  type Registered,
  type RegistrationDependencies,
  registerLink,
} from './register-link.ts';

const DEFAULT_PROVIDER = 'tax_portal';

export interface LinkDependencies extends PresentDependencies, RegistrationDependencies {
  readonly store: Pick<Store, 'accountLinks' | 'consentStates'>;
  readonly addresses: Pick<InstitutionAddresses, 'origins'>;
}

export type LinkAnswer =
  | { readonly status: 201; readonly body: LinkResponse }
  | { readonly status: 200; readonly body: RelinkResponse };

/**
 * Registers a certificate, a login or a consent.
 * @throws ServiceError 400, 422, CREDENTIAL_INVALID, CREDENTIAL_CONFIRM_REQUIRED, CONSENT_STATE_INVALID
 */
export async function linkCredential(
  dependencies: LinkDependencies,
  linker: WaitingLinker,
  sent: LinkRequest,
): Promise<LinkAnswer> {
  const { organizationId } = linker.principal;
  const request = await unwrapLinkRequest(fieldReader(dependencies, organizationId, null), sent);
  const given = givenCredential(request);
  const institution = institutionOf(
    dependencies.institutions,
    request.provider ?? DEFAULT_PROVIDER,
  );
  const { provider } = institution;
  const purposeAt = (each: string) =>
    request.purpose ?? defaultPurpose(dependencies.addresses.origins(each));
  linker.reach.assertMayChange(provider);
  const siblings = siblingProviders(
    dependencies.institutions,
    provider,
    request.exclude_providers ?? [],
  ).filter((each) => linker.reach.sees({ provider: each, purpose: purposeAt(each) }));
  // Before the credential: a code and a state work only once.
  const labels = labelsOf(request);
  const { consented, ...presented } = await presentCredential(
    dependencies,
    linker,
    institution,
    given,
    request,
  );
  const { random_enc } = request;
  await bindToIdentity(dependencies, { organizationId, provider }, given, presented, random_enc);
  const registered = await registerLink(dependencies, {
    organizationId,
    actor: actorOf(linker.principal, linker.origin),
    providers: [provider, ...(given.type === 'certificate' ? siblings : [])],
    presented,
    labels,
    purposeAt: consented ? () => consented.purpose : purposeAt,
    ...(consented?.renews ? { identity: consented.renews } : {}),
    isPrimary: request.is_primary ?? false,
    confirm: request.confirm ?? false,
  });
  return answer(registered);
}

/** A login belongs to one institution; a certificate is the same at all of them. */
async function bindToIdentity(
  dependencies: LinkDependencies,
  { organizationId, provider }: { readonly organizationId: number; readonly provider: string },
  given: GivenCredential,
  { identity, formerIdentity }: Presented,
  random_enc: LinkRequest['random_enc'],
): Promise<void> {
  if (given.type === 'consent') return;
  const { type, ...values } = given;
  const fields = type === 'certificate' && random_enc ? { ...values, random_enc } : values;
  const bind = async (to: IdentityOf, field: Readonly<Record<string, string>>) => {
    const hash = await dependencies.identities.hash(organizationId, to);
    const target = type === 'certificate' ? hash : `${hash}:${provider}`;
    return fieldReader(dependencies, organizationId, target).bind(field);
  };
  for (const [name, value] of Object.entries(fields)) {
    let refused = await bind(identity, { [name]: value });
    if (refused !== null && formerIdentity) refused = await bind(formerIdentity, { [name]: value });
    if (refused !== null) throw notDecrypted(refused);
  }
}

function labelsOf(request: LinkRequest): LinkLabels {
  const { display_label: displayLabel, cert_name: certName, business_name: businessName } = request;
  const bizNumber = readBizNumber(request.biz_number);
  return {
    ...(typeof displayLabel === 'string' ? { displayLabel } : {}),
    ...(typeof certName === 'string' ? { certName } : {}),
    ...(typeof businessName === 'string' ? { businessName } : {}),
    ...(bizNumber === undefined ? {} : { bizNumber }),
  };
}

function answer({ link, fanOut, isNew, changed }: Registered): LinkAnswer {
  const body = {
    account_link_id: link.id,
    provider: link.provider,
    auth_type: link.authType,
    display_label: link.displayLabel,
    is_primary: link.isPrimary,
    purpose: link.purpose,
    cert: toCertificate(link.certificate),
    fan_out: fanOut.map(({ provider, id }) => ({ provider, account_link_id: id })),
    registered_at: kstTime(link.registeredAt),
  };
  if (isNew) return { status: 201, body: { ...body, status: 'ACTIVE' } };
  const status = link.status === 'SUSPENDED' ? 'SUSPENDED' : 'ACTIVE';
  return { status: 200, body: { ...body, status, changed } };
}
