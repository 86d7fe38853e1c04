/** A person's side: log in, issue a key, use it, revoke it. Needs EXAMPLE_EMAIL and EXAMPLE_PASSWORD of a console user. */
import { Changgu } from '@changgu/sdk';

const { EXAMPLE_EMAIL: email = '', EXAMPLE_PASSWORD: password = '' } = process.env;

await using anyone = new Changgu();
const { accessToken, organization } = await anyone.account.login({ email, password });
const person = anyone.with({ token: accessToken });

const { clientId, clientSecret } = await person.appCredentials.issue({ label: 'nightly batch' });
console.log(`${organization.name} has a new key ${clientId}`);

const batch = anyone.with({ clientId, clientSecret });
const { planName, rateLimitAfter } = await batch.membership.me();
console.log(`plan ${planName}, ${rateLimitAfter.remaining} requests left in this minute`);

const { status } = await person.appCredentials.revoke(clientId);
console.log(`the key is ${status}`);
