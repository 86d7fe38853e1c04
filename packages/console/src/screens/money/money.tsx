import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { count, date, won } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Usage } from '../home/usage.tsx';
import { Invoices } from './invoices.tsx';
import { moneyTexts } from './money-texts.ts';
import { UsageByDay } from './usage-by-day.tsx';

export function Money() {
  return (
    <Page title={moneyTexts().title}>
      <div class="columns">
        <Plan />
        <Usage />
      </div>
      <UsageByDay />
      {may('listInvoices') ? <Invoices /> : null}
      <Plans />
    </Page>
  );
}

function Plan() {
  const words = moneyTexts();
  const facts = useResource(environment.value, async (signal) => {
    const [membership, payment, subscription] = await Promise.all([
      call('readMembership', { signal }),
      may('readPaymentMethod') ? orNone(call('readPaymentMethod', { signal })) : null,
      may('readSubscription') ? orNone(call('readSubscription', { signal })) : null,
    ]);
    return { membership, payment, subscription };
  });
  return (
    <Section title={words.plan}>
      <Loaded of={facts}>
        {({ membership, payment, subscription }) => (
          <Facts
            of={[
              [words.plan, membership.plan_name ?? '–'],
              [
                words.tier,
                membership.membership_tier ? words.tiers[membership.membership_tier] : '–',
              ],
              [words.subscription, subscription ? words.subscriptions[subscription.status] : '–'],
              [
                words.period,
                subscription
                  ? `${date(subscription.current_period_start)} – ${date(subscription.current_period_end)}`
                  : '–',
              ],
              [
                words.payment,
                payment ? `${payment.card_company} ${payment.masked_card_number}` : '–',
              ],
            ]}
          />
        )}
      </Loaded>
      <p class="faint">{words.paymentAbout}</p>
    </Section>
  );
}

function Plans() {
  const words = moneyTexts();
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

/** 404 says that there is none. */
async function orNone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
