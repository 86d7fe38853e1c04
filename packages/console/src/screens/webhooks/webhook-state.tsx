import type { WebhookRecord } from '@changgu/contract';
import { Badge } from '../../components/badge.tsx';
import { webhooksTexts } from './webhooks-texts.ts';

export function WebhookState({ of: webhook }: { readonly of: WebhookRecord }) {
  const words = webhooksTexts();
  const { status, disabled_reason: reason, failing_since: failing } = webhook;
  if (status === 'ENABLED') {
    return <Badge tone={failing === null ? 'good' : 'warn'}>{words.enabled}</Badge>;
  }
  return (
    <span class="row">
      <Badge tone="idle">{words.disabled}</Badge>
      {reason === null ? null : <small class="faint">{words.reasons[reason]}</small>}
    </span>
  );
}
