import { load } from 'cheerio';

/** A card that the simulated payment provider takes; its number must be seen nowhere else. */
export const CARD_NUMBER = '4330123412341235';

/** What a customer does in a browser: reads the card page, types a card, is sent back. */
export async function typeCard(
  paymentUrl: string,
  session: { readonly customerKey: string; readonly clientKey: string },
  decision: 'register' | 'cancel' = 'register',
): Promise<URL> {
  const query = new URLSearchParams({
    customer_key: session.customerKey,
    client_key: session.clientKey,
    success_url: 'https://console.example/done',
    fail_url: 'https://console.example/failed',
  });
  const screen = await fetch(`${paymentUrl}/billing/auth?${query}`);
  const page = load(await screen.text());
  const hidden = (name: string) => String(page(`#cardForm input[name="${name}"]`).val());
  const answer = await fetch(`${paymentUrl}/billing/auth`, {
    method: 'POST',
    headers: { cookie: screen.headers.get('set-cookie')?.split(';')[0] ?? '' },
    body: new URLSearchParams({
      _csrf: hidden('_csrf'),
      request: hidden('request'),
      card_number: CARD_NUMBER,
      expiry: '12/49',
      card_password: '12',
      owner: '1248100998',
      decision,
    }),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`${answer.status} ${await answer.text()}`);
  return new URL(location);
}
