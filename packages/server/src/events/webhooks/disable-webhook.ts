import type { PostOffice } from '../../mail/post-office.ts';
import type { Store } from '../../store/database.ts';
import type { HeldWebhook } from '../../store/webhooks/courier-rows.ts';

export interface DisableDependencies {
  readonly store: Pick<Store, 'webhookDisabling'>;
  readonly postOffice: Pick<PostOffice, 'sends' | 'writeNotice' | 'hurry'>;
}

/** Disables an endpoint, with an event and, if email is configured, a message to each administrator. */
export async function disableWebhook(
  { store, postOffice }: DisableDependencies,
  { id, organizationId, url }: HeldWebhook,
  reason: 'gone' | 'failing',
): Promise<void> {
  const recipients = postOffice.sends
    ? await store.webhookDisabling.administrators(organizationId)
    : [];
  const webhook = `${new URL(url).host} (${id})`;
  const letters = await Promise.all(
    recipients.map((to) => postOffice.writeNotice(`webhook_${reason}`, { to, webhook })),
  );
  if (
    await store.webhookDisabling.disable({
      webhookId: id,
      url,
      reason,
      letters: letters.filter((letter) => letter !== null),
    })
  )
    postOffice.hurry();
}
