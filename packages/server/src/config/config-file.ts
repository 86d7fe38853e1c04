import { readFile } from 'node:fs/promises';
import { REGISTRATION } from '@changgu/contract';
import type { MembershipTier } from '@changgu/contract/schemas';
import { Ajv } from 'ajv';
import { parse, TomlError } from 'smol-toml';
import type { ConfiguredProvider } from '../identity-providers/configured-provider.ts';
import type { ConfiguredPlan } from '../rules/quota/plans.ts';
import { ConfigError } from './config-error.ts';
import { DEFAULT_SETTINGS, type FileSettings } from './settings.ts';

const tokens = { type: 'integer', minimum: 0 };
const limits = {
  type: 'object',
  additionalProperties: false,
  properties: { daily: tokens, monthly: tokens },
};

const words = { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1 } };

/** Schema of the TOML file. An omitted limit means no limit; a plan in the file replaces the default one. */
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    auto_approve: { type: 'boolean' },
    demo_days: { type: 'integer', minimum: 0, maximum: 3_650 },
    job_retention_days: { type: 'integer', minimum: 1, maximum: 3_650 },
    event_retention_days: { type: 'integer', minimum: 1, maximum: 3_650 },
    registration: { enum: REGISTRATION },
    consent_clients: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-z0-9_]{0,63}$' },
      additionalProperties: {
        type: 'object',
        required: ['client_id', 'client_secret'],
        additionalProperties: false,
        properties: {
          client_id: { type: 'string', minLength: 1 },
          client_secret: { type: 'string', minLength: 1 },
        },
      },
    },
    identity_providers: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-z0-9-]{0,31}$' },
      additionalProperties: {
        type: 'object',
        required: ['label', 'issuer', 'client_id'],
        additionalProperties: false,
        properties: {
          label: { type: 'string', minLength: 1, maxLength: 40 },
          // Logins are no better than the connection that they come over.
          issuer: {
            type: 'string',
            pattern: '^(https://|http://(localhost|127[.]0[.]0[.]1)(:|/|$))[^?#]*$',
          },
          client_id: { type: 'string', minLength: 1 },
          client_secret: { type: 'string', minLength: 1 },
          scopes: { ...words, contains: { const: 'openid' } },
          second_factor_amr: words,
          second_factor_acr: words,
        },
      },
    },
    plans: {
      type: 'object',
      propertyNames: { pattern: '^[A-Z][A-Z0-9_]{0,63}$' },
      additionalProperties: {
        type: 'object',
        required: ['name', 'tier'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 100 },
          tier: { enum: ['FREE', 'PAID'] },
          price: { type: 'integer', minimum: 0 },
          token_price: { type: 'integer', minimum: 0 },
          real_test: limits,
          production: limits,
        },
      },
    },
  },
};

interface WrittenLimits {
  readonly daily?: number;
  readonly monthly?: number;
}

interface WrittenPlan {
  readonly name: string;
  readonly tier: MembershipTier;
  readonly price?: number;
  readonly token_price?: number;
  readonly real_test?: WrittenLimits;
  readonly production?: WrittenLimits;
}

type WrittenFile = Partial<FileSettings['settings']> & {
  readonly plans?: Readonly<Record<string, WrittenPlan>>;
  readonly consent_clients?: Readonly<Record<string, WrittenConsentClient>>;
  readonly identity_providers?: Readonly<Record<string, WrittenProvider>>;
};

interface WrittenProvider {
  readonly label: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly scopes?: readonly string[];
  readonly second_factor_amr?: readonly string[];
  readonly second_factor_acr?: readonly string[];
}

interface WrittenConsentClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/** @throws ConfigError when the file is unreadable, is not TOML or does not fit */
export async function readConfigFile(path: string): Promise<FileSettings> {
  const {
    plans = {},
    consent_clients: clients = {},
    identity_providers: providers = {},
    ...settings
  } = checked(path, await read(path));
  const written = Object.entries(plans).map(([code, plan]) => [code, configured(plan)] as const);
  return {
    plans: { ...DEFAULT_SETTINGS.plans, ...Object.fromEntries(written) },
    settings: { ...DEFAULT_SETTINGS.settings, ...settings },
    consentClients: Object.fromEntries(
      Object.entries(clients).map(([provider, client]) => [
        provider,
        { clientId: client.client_id, clientSecret: client.client_secret },
      ]),
    ),
    identityProviders: Object.entries(providers).map(([name, each]) => providerOf(name, each)),
  };
}

function providerOf(name: string, written: WrittenProvider): ConfiguredProvider {
  return {
    name,
    label: written.label,
    issuer: written.issuer,
    clientId: written.client_id,
    clientSecret: written.client_secret ?? null,
    scopes: written.scopes ?? ['openid', 'email', 'profile'],
    trustedFactor: {
      amr: written.second_factor_amr ?? [],
      acr: written.second_factor_acr ?? [],
    },
  };
}

async function read(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (failure) {
    const reason = failure instanceof Error ? withoutExcerpt(failure) : String(failure);
    throw new ConfigError([`CHANGGU_CONFIG: cannot read ${path}: ${reason}`]);
  }
}

/** The parser quotes the lines around an error, and they may contain a secret. */
function withoutExcerpt(failure: Error): string {
  if (!(failure instanceof TomlError)) return failure.message;
  const [what] = failure.message.split('\n', 1);
  return `${what} (line ${failure.line}, column ${failure.column})`;
}

function checked(path: string, content: unknown): WrittenFile {
  const validate = new Ajv({ allErrors: true }).compile<WrittenFile>(SCHEMA);
  if (validate(content)) return content;
  throw new ConfigError(
    (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const where = instancePath.slice(1).replaceAll('/', '.') || 'the file';
      const what = params.additionalProperty ? ` (${params.additionalProperty})` : '';
      return `CHANGGU_CONFIG: ${path}: ${where} ${message}${what}`;
    }),
  );
}

function configured(plan: WrittenPlan): ConfiguredPlan {
  const { name, tier, price = 0, token_price: tokenPrice = 0, real_test, production } = plan;
  const closed = { daily: 0, monthly: 0 };
  return {
    name,
    tier,
    price,
    tokenPrice,
    real_test: complete(real_test ?? {}),
    production: tier === 'PAID' ? complete(production ?? {}) : closed,
  };
}

function complete({ daily, monthly }: WrittenLimits) {
  return { daily: daily ?? null, monthly: monthly ?? null };
}
