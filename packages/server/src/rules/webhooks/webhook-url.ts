import { isLoopback } from '@changgu/contract';
import { invalidValue } from '../service-error.ts';

export interface WebhookUrlPolicy {
  /** Whether messages may be sent to a literal host; a name is checked when it is resolved. */
  readonly isAllowedHost: (hostname: string) => boolean;
  /** Allows http, for trying it out on one's own machine. */
  readonly httpOnLoopback: boolean;
}

/**
 * The normalized address of an endpoint.
 * @throws ServiceError 400
 */
export function acceptWebhookUrl(text: string, policy: WebhookUrlPolicy): string {
  if (!URL.canParse(text)) throw refused('Input should be an absolute URL');
  const url = new URL(text);
  const isPlain = url.protocol === 'http:' && policy.httpOnLoopback && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isPlain) throw refused('The URL should begin with https://');
  if (url.username !== '' || url.password !== '') {
    throw refused('The URL must not hold a user or a password; messages are signed instead');
  }
  if (url.hash !== '') throw refused('The URL must not hold a fragment');
  if (!policy.isAllowedHost(url.hostname)) {
    throw refused('The host is a private address that this server may not call');
  }
  return url.href;
}

function refused(msg: string) {
  return invalidValue([{ loc: ['body', 'url'], msg, type: 'value_error' }]);
}
