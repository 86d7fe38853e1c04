import { operations } from '@changgu/contract/schemas';
import { createConsentUrl } from '../../credentials/consent-url.ts';
import { type LinkDependencies, linkCredential } from '../../credentials/link.ts';
import { assertInReach, linkReach } from '../../credentials/link-reach.ts';
import { listAccountLinks, readAccountLink } from '../../credentials/link-records.ts';
import { selectAssets } from '../../credentials/selected-assets.ts';
import { unlinkCredential } from '../../credentials/unlink.ts';
import { hintedOrganization, knownOrganization } from '../../requests/chosen-organization.ts';
import type { Store } from '../../store/database.ts';
import type { HttpApp } from '../app.ts';
import { consentReturnHeaders, consentReturnPage } from '../pages/consent-return.ts';
import { route } from '../route.ts';

const { credentials } = operations;

export interface CredentialRouteDependencies extends LinkDependencies {
  readonly store: LinkDependencies['store'] & Pick<Store, 'organizations' | 'unlink'>;
}

/** Links to institutions. */
export function credentialRoutes(app: HttpApp, dependencies: CredentialRouteDependencies): void {
  const { store, addresses } = dependencies;

  route(app, credentials.linkCredential, async ({ principal, origin, body, signal }) => {
    const reach = linkReach(principal, addresses);
    return linkCredential(dependencies, { principal, origin, reach, gone: signal }, body);
  });

  route(app, credentials.createConsentUrl, async ({ principal, origin, body }) => {
    linkReach(principal, addresses).assertMayChange(body.provider);
    const id = body.account_link_id?.toLowerCase();
    if (id) await assertInReach(dependencies, principal, id, 'change');
    return { status: 200, body: await createConsentUrl(dependencies, { principal, origin }, body) };
  });
  route(app, credentials.consentReturn, async ({ query, language }) => ({
    status: 200,
    body: consentReturnPage(query, language),
    headers: consentReturnHeaders,
  }));

  route(app, credentials.listAccountLinks, async ({ principal, headers, query }) => {
    const organizationId = await knownOrganization(store, principal, headers);
    const reach = linkReach(principal, addresses);
    return {
      status: 200,
      body: await listAccountLinks(store, organizationId, query.provider, reach),
    };
  });
  route(app, credentials.readAccountLink, async ({ principal, headers, params }) => {
    const { account_link_id: id } = params;
    await assertInReach(dependencies, principal, id, 'read');
    return {
      status: 200,
      body: await readAccountLink(store, id, hintedOrganization(principal, headers)),
    };
  });

  route(app, credentials.selectAssets, async ({ principal, origin, params, body }) => {
    const { account_link_id: id } = params;
    await assertInReach(dependencies, principal, id, 'change');
    return { status: 200, body: await selectAssets(dependencies, { principal, origin }, id, body) };
  });

  route(app, credentials.unlinkCredential, async ({ principal, headers, origin, params, body }) => {
    await assertInReach(dependencies, principal, params.account_link_id, 'change');
    const organizationId = hintedOrganization(principal, headers);
    const by = { principal, organizationId, origin };
    const reason = body?.unlink_reason ?? null;
    return {
      status: 200,
      body: await unlinkCredential(store, by, params.account_link_id, reason),
    };
  });
}
