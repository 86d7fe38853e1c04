import type { SubscriptionRecord } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { count, date, won } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Usage } from '../home/usage.tsx';
import { billingTexts } from './billing-texts.ts';
import { CardSection } from './card-section.tsx';
import { Invoices } from './invoices.tsx';
import { TaxRecipient } from './tax-recipient.tsx';
import { UsageByDay } from './usage-by-day.tsx';

export function Billing() {
  return (
    <Page title={billingTexts().title}>
      <div class="columns">
        <Plan />
        <Usage />
      </div>
      {may('readBillingAccount') ? <Account /> : null}
      <UsageByDay />
      {may('listInvoices') ? <Invoices /> : null}
      <Plans />
    </Page>
  );
}

function Account() {
  const words = billingTexts();
  const account = useResource('', (signal) => call('readBillingAccount', { signal }));
  return (
    <Loaded of={account}>
      {({ organization_id: organizationId, subscription, payment_method, offline_profiles }) => (
        <div class="columns">
          <Section title={words.subscription}>
            {subscription === null ? (
              <p class="faint">{words.noSubscription}</p>
            ) : (
              <SubscriptionFacts of={subscription} />
            )}
            <p class="faint">{words.planAbout}</p>
          </Section>
          <CardSection card={payment_method} onRegistered={account.reload} />
          <TaxRecipient
            organizationId={organizationId}
            profiles={offline_profiles}
            onChanged={account.reload}
          />
        </div>
      )}
    </Loaded>
  );
}

function SubscriptionFacts({ of: subscription }: { readonly of: SubscriptionRecord }) {
  const words = billingTexts();
  const { current_period_start: start, current_period_end: end } = subscription;
  return (
    <Facts
      of={[
        [words.plan, subscription.plan_name],
        [words.state, words.subscriptions[subscription.status]],
        [words.period, `${date(start)} – ${date(end)}`],
      ]}
    />
  );
}

function Plan() {
  const words = billingTexts();
  const membership = useResource(environment.value, (signal) => call('readMembership', { signal }));
  return (
    <Section title={words.plan}>
      <Loaded of={membership}>
        {({ plan_name: plan, membership_tier: tier, subscription_status: status }) => (
          <Facts
            of={[
              [words.plan, plan ?? '–'],
              [words.tier, tier ? words.tiers[tier] : '–'],
              [words.subscription, status ? words.subscriptions[status] : '–'],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Plans() {
  const words = billingTexts();
  const plans = useResource('', (signal) => call('listPlans', { signal }));
  const limit = (tokens: number | null) => (tokens === null ? words.unlimited : count(tokens));
  return (
    <Section title={words.plans}>
      <Loaded of={plans}>
        {({ items }) => (
          <Table
            caption={words.plans}
            rows={items}
            keyOf={({ plan_code: code }) => code}
            columns={[
              { title: words.plan, isHeading: true, cell: ({ plan_name: name }) => name },
              { title: words.monthly, numeric: true, cell: ({ price }) => won(price.amount_minor) },
              { title: words.dailyTokens, numeric: true, cell: ({ daily_tokens: n }) => limit(n) },
              {
                title: words.monthlyTokens,
                numeric: true,
                cell: ({ monthly_tokens: n }) => limit(n),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
