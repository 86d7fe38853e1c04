import { isLoopback } from '@changgu/contract';
import { ServiceError } from '../rules/service-error.ts';

interface Headers {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

const REFUSED = {
  ko: '개발 서버는 이 컴퓨터에서 보낸 요청만 받습니다.',
  en: 'The development server only accepts requests from this machine.',
};

/** The own host that was asked for last: parsing it again would cost more than all other checks of a request. */
let lastOwn: string | undefined;

/**
 * Refuses requests that a web page elsewhere could send to a server on loopback: with a foreign Origin, or
 * with a host name that was made to resolve here (DNS rebinding).
 */
export function refuseForeign({ host, origin }: Headers): ServiceError | null {
  const local = isOwnHost(host ?? '') && (origin === undefined || isLoopbackUrl(origin));
  return local ? null : new ServiceError('AUTH_FORBIDDEN_PRINCIPAL', { message: REFUSED });
}

function isOwnHost(host: string): boolean {
  if (host === lastOwn) return true;
  if (!isLoopbackUrl(`http://${host}`)) return false;
  lastOwn = host;
  return true;
}

export function isLoopbackUrl(url: string): boolean {
  return isLoopback(URL.parse(url)?.hostname ?? '');
}
