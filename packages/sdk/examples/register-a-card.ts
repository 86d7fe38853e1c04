/**
 * Registers a card for the organization. In production the customer types it on the payment
 * provider's page; here the example does so at the simulated provider of `dev`.
 * Needs EXAMPLE_EMAIL and EXAMPLE_PASSWORD of a console user, and EXAMPLE_CONTROL_URL of the simulators.
 */
import { type BillingAuthSession, Changgu } from '@changgu/sdk';

const { EXAMPLE_EMAIL: email = '', EXAMPLE_PASSWORD: password = '' } = process.env;

await using anyone = new Changgu();
const { accessToken } = await anyone.account.login({ email, password });
const person = anyone.with({ token: accessToken });

const session = await person.billing.createAuthSession();
const authKey = await typeCard(session);
const { customerKey, sessionProof } = session;
const registered = await person.billing.registerPaymentMethod({
  customerKey,
  sessionProof,
  authKey,
});
console.log(`${registered.cardCompany} ${registered.maskedCardNumber} is registered`);

const inForce = await person.billing.paymentMethod();
console.log(inForce.registeredAt === registered.registeredAt);

/** What the customer's browser does: opens the page, sends its form, is sent back with a key. */
async function typeCard({ clientKey, customerKey }: BillingAuthSession): Promise<string> {
  const sites = await (await fetch(process.env.EXAMPLE_CONTROL_URL ?? '')).json();
  const page = new URL('/billing/auth', sites.payment.url);
  page.search = new URLSearchParams({
    client_key: clientKey,
    customer_key: customerKey,
    success_url: 'https://console.example/billing/done',
    fail_url: 'https://console.example/billing/failed',
  }).toString();
  const screen = await fetch(page);
  if (!screen.ok) throw new Error(`the card page answered ${screen.status}`);
  const csrf = /name="_csrf" value="(\w+)"/.exec(await screen.text())?.[1] ?? '';
  const answer = await fetch(new URL(page.pathname, page), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: screen.headers.get('set-cookie')?.split(';')[0] ?? '' },
    body: new URLSearchParams({
      _csrf: csrf,
      request: page.searchParams.toString(),
      card_number: '4330-1234-1234-1235',
      expiry: '12/49',
      card_password: '12',
      owner: '1248100998',
      decision: 'register',
    }),
  });
  const key = new URL(answer.headers.get('location') ?? page).searchParams.get('auth_key');
  if (key === null) throw new Error(`the card page gave no key: ${answer.status}`);
  return key;
}
