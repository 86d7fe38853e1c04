import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { isAccountNumber } from '../bank/accounts.ts';
import type { BankPortal } from '../bank/bank-portal.ts';
import type { Movement } from '../bank/ledger.ts';
import type { PaymentProvider } from '../payment/payment-provider.ts';
import type { HostileKind, PortalState } from '../portal/condition.ts';
import { HOSTILE_KINDS } from '../portal/condition.ts';
import type { Feature } from '../portal/features.ts';
import { FEATURES, isFeature } from '../portal/features.ts';
import type { Portal } from '../portal/portal.ts';
import type { Site } from '../providers.ts';
import { isSite } from '../providers.ts';

/** What the control API works on; portals change at a reset. */
export interface ControlTarget {
  now: () => number;
  portal: (site: Site) => Portal;
  banks: () => readonly BankPortal[];
  payment: () => PaymentProvider;
  url: (site: Site) => string;
  sites: readonly Site[];
  reset: () => void;
}

class BadOrder extends Error {
  readonly statusCode: number;

  constructor(message: string, statusCode = 400) {
    super(message);
    this.statusCode = statusCode;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(body: unknown): Fields {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body));
}

/** Milliseconds or ISO-8601; null when absent. */
function momentOf(value: unknown, name: string): number | null {
  if (value === undefined || value === null) return null;
  const ms = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof ms !== 'number' || !Number.isFinite(ms)) throw new BadOrder(`${name} is not a time`);
  return ms;
}

function numberOf(value: unknown, name: string, fallback: number, most: number): number {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number' || value < 0 || value > most) {
    throw new BadOrder(`${name} must be a number from 0 to ${most}`);
  }
  return value;
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

const STATES: readonly PortalState[] = ['HEALTHY', 'DEGRADED', 'DOWN'];

function stateOf(value: unknown): PortalState {
  const state = STATES.find((candidate) => candidate === value);
  if (!state) throw new BadOrder(`state must be one of ${STATES.join(', ')}`);
  return state;
}

function hostileOf(value: unknown): HostileKind | null {
  if (value === null) return null;
  const kind = HOSTILE_KINDS.find((candidate) => candidate === value);
  if (!kind) throw new BadOrder(`kind must be null or one of ${HOSTILE_KINDS.join(', ')}`);
  return kind;
}

function featuresOf(value: unknown): Feature[] {
  const list: unknown[] = Array.isArray(value) ? value : [null];
  if (list.every(isFeature)) return list;
  throw new BadOrder(`features must be a list of ${FEATURES.join(', ')}`);
}

function portalOf(target: ControlTarget, params: unknown): Portal {
  const provider = textOf(fieldsOf(params).provider, '');
  if (!isSite(provider)) throw new BadOrder(`no provider ${provider}`, 404);
  return target.portal(provider);
}

function wholeWon(value: unknown, name: string): number {
  const won = numberOf(value, name, 0, Number.MAX_SAFE_INTEGER);
  if (!Number.isInteger(won)) throw new BadOrder(`${name} must be an integer`);
  return won;
}

function movementOf(body: Fields, now: number): Movement {
  const deposit = wholeWon(body.deposit_amount, 'deposit_amount');
  const withdrawal = wholeWon(body.withdrawal_amount, 'withdrawal_amount');
  if (deposit > 0 === withdrawal > 0) {
    throw new BadOrder('exactly one of deposit_amount and withdrawal_amount must be above 0');
  }
  const at = momentOf(body.at, 'at') ?? now;
  if (at > now) throw new BadOrder('at must not be in the future');
  return {
    // Statements print whole seconds.
    at: Math.floor(at / 1000) * 1000,
    deposit,
    withdrawal,
    description: textOf(body.description, '시험입력'),
    counterparty: textOf(body.counterparty, ''),
    branch: '모바일',
    memo: textOf(body.memo, ''),
  };
}

function overview(target: ControlTarget): Record<string, object> {
  return Object.fromEntries(
    target.sites.map((site) => {
      const { condition } = target.portal(site);
      return [
        site,
        {
          url: target.url(site),
          state: condition.current().state,
          hostile: condition.hostileKind(),
          features: condition.features(),
        },
      ];
    }),
  );
}

/** A list is added whole or, where one of its transactions is not allowed, not at all. */
function addTransactions(target: ControlTarget, params: unknown, body: unknown): object {
  const accountNo = textOf(fieldsOf(params).accountNo, '');
  if (!isAccountNumber(accountNo)) throw new BadOrder('no account number');
  const now = target.now();
  const orders: unknown[] = Array.isArray(body) ? body : [body];
  const movements = orders.map((order) => movementOf(fieldsOf(order), now));
  for (const bank of target.banks()) {
    for (const movement of movements) bank.book.add(accountNo, movement);
  }
  const added = movements.map((movement) => shown(accountNo, movement));
  return Array.isArray(body) ? added : (added[0] ?? {});
}

function shown(accountNo: string, movement: Movement): object {
  return {
    account_no: accountNo,
    at: movement.at,
    deposit_amount: movement.deposit,
    withdrawal_amount: movement.withdrawal,
    description: movement.description,
  };
}

/** Loopback API by which tests and developers steer the portals; not yet listening. */
export function controlServer(target: ControlTarget): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.get('/', () => overview(target));
  app.post('/reset', () => {
    target.reset();
    return { reset: true };
  });
  app.post('/:provider/state', ({ params, body }) => {
    const order = fieldsOf(body);
    const state = stateOf(order.state);
    const { condition } = portalOf(target, params);
    condition.order({
      state,
      latencyMs: numberOf(order.latency_ms, 'latency_ms', 0, 600_000),
      errorRate: numberOf(order.error_rate, 'error_rate', state === 'DEGRADED' ? 0.5 : 0, 1),
      until: momentOf(order.until, 'until'),
    });
    return { state };
  });
  app.post('/:provider/hostile', ({ params, body }) => {
    const order = fieldsOf(body);
    const kind = hostileOf(order.kind);
    portalOf(target, params).condition.setHostile(kind, textOf(order.path_prefix, '/'));
    return { kind };
  });
  app.post('/:provider/features', ({ params, body }) => {
    const features = featuresOf(fieldsOf(body).features);
    portalOf(target, params).condition.setFeatures(features);
    return { features };
  });
  app.post('/payment/decline', ({ body }) => {
    const { declines } = fieldsOf(body);
    if (typeof declines !== 'boolean') throw new BadOrder('declines must be true or false');
    target.payment().billingKeys.declines = declines;
    return { declines };
  });
  app.get('/:provider/log', ({ params }) => portalOf(target, params).log.report());
  app.post('/bank-accounts/:accountNo/transactions', ({ params, body }, reply) =>
    reply.code(201).send(addTransactions(target, params, body)),
  );
  return app;
}
