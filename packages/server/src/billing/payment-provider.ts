import type { JsonFields } from '@changgu/contract';
import type { PortalHttp } from '../institutions/portal/client/http-client.ts';
import { unanswered } from '../institutions/portal/unanswered.ts';
import { parseJsonObject } from '../rules/json-object.ts';
import { invalidValue, ServiceError, type ServiceErrorDetails } from '../rules/service-error.ts';

/** The payment provider's address, and our credentials there. */
export interface PaymentAccount {
  readonly url: string;
  readonly clientKey: string;
  readonly secretKey: string;
}

interface CardAuthorization {
  readonly customerKey: string;
  /** From the provider's card page; usable once. */
  readonly authKey: string;
  /** The provider gives the same answer to the same request under the same key. */
  readonly idempotencyKey: string;
}

/** A registered card. The billing key can charge it and is a secret. */
export interface RegisteredCard {
  readonly billingKey: string;
  readonly cardCompany: string;
  readonly lastFour: string;
}

/** Where a customer enters a card, and who sends the customer there. */
export interface CardPage {
  readonly url: string;
  readonly clientKey: string;
}

export interface PaymentProvider {
  /**
   * What customers need to enter a card at the provider.
   * @throws ServiceError PROVIDER_NOT_CONFIGURED
   */
  cardPage(): Promise<CardPage>;
  /**
   * Exchanges the card page's auth key for a billing key.
   * @throws ServiceError 400 for an auth key that is not valid, PROVIDER_CREDENTIAL_REJECTED when
   *   the card is declined, PROVIDER_UPSTREAM_ERROR, PROVIDER_NOT_CONFIGURED
   */
  registerCard(authorization: CardAuthorization): Promise<RegisteredCard>;
}

interface PaymentProviderOptions {
  /** Null when none is configured. */
  readonly account: () => Promise<PaymentAccount | null>;
  /** Made on first use: its library is slow to load. */
  readonly http: () => Promise<Pick<PortalHttp, 'open'>>;
}

const CARD_PAGE_PATH = '/billing/auth';
const ISSUE_PATH = '/v1/billing/authorizations/issue';
const TIMEOUT_MS = 30_000;
const UPSTREAM = {
  ko: '결제 대행사의 응답이 지연되거나 올바르지 않습니다. 잠시 후 다시 시도하십시오.',
  en: 'The payment provider answered too late or with an invalid response. Try again later.',
};

/** The provider's HTTP API (docs/billing.md). */
export function createPaymentProvider({ account, http }: PaymentProviderOptions): PaymentProvider {
  async function configured(): Promise<PaymentAccount> {
    const found = await account();
    if (found === null) throw notConfigured();
    return found;
  }

  return {
    async cardPage() {
      const { url, clientKey } = await configured();
      return { url: new URL(CARD_PAGE_PATH, url).href, clientKey };
    },
    async registerCard({ customerKey, authKey, idempotencyKey }) {
      const { url, secretKey } = await configured();
      const { open } = await http();
      const client = open({ baseUrl: url, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const answer = await client
        .request({
          method: 'POST',
          path: ISSUE_PATH,
          headers: {
            authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`,
            'idempotency-key': idempotencyKey,
          },
          json: { customer_key: customerKey, auth_key: authKey },
        })
        .catch((failure: unknown) => {
          throw unanswered(failure, { message: UPSTREAM });
        });
      const body = parseJsonObject(answer.text()) ?? {};
      if (answer.status !== 200) throw refusal(answer.status, body);
      const card = readCard(body, customerKey);
      if (card === null) throw upstream({ upstreamStatus: answer.status });
      return card;
    },
  };
}

function readCard(body: JsonFields, customerKey: string): RegisteredCard | null {
  const { billing_key: billingKey, card_company: cardCompany, card_number: number } = body;
  if (body.customer_key !== customerKey) return null;
  if (typeof billingKey !== 'string' || billingKey === '') return null;
  if (typeof cardCompany !== 'string' || typeof number !== 'string') return null;
  const lastFour = /\d{4}$/.exec(number)?.[0];
  return lastFour === undefined ? null : { billingKey, cardCompany, lastFour };
}

function refusal(status: number, { code }: JsonFields): ServiceError {
  const known = typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code);
  const details = {
    upstreamStatus: status,
    ...(known ? { providerErrorRef: `payment:${code}` } : {}),
  };
  if (status === 400) {
    const msg = 'The key is unknown, used, expired or from another session';
    return invalidValue([{ loc: ['body', 'auth_key'], msg, type: 'value_error' }]);
  }
  if (status === 403) {
    return new ServiceError('PROVIDER_CREDENTIAL_REJECTED', {
      ...details,
      message: {
        ko: '카드사가 카드 등록을 거절했습니다. 다른 카드로 다시 등록하십시오.',
        en: 'The card was declined. Try another card.',
      },
    });
  }
  // Our own credentials are wrong, so a retry cannot help.
  return upstream({ ...details, ...(status === 401 ? { retryable: false } : {}) });
}

function upstream(details: ServiceErrorDetails): ServiceError {
  return new ServiceError('PROVIDER_UPSTREAM_ERROR', { ...details, message: UPSTREAM });
}

function notConfigured(): ServiceError {
  return new ServiceError('PROVIDER_NOT_CONFIGURED', {
    message: {
      ko: '결제 대행사가 설정되어 있지 않습니다.',
      en: 'No payment provider is configured.',
    },
  });
}
