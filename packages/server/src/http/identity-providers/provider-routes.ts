import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Target } from '../../identity-providers/attempts.ts';
import { logOutByProvider } from '../../identity-providers/logout.ts';
import type { ProviderClient } from '../../identity-providers/provider-client.ts';
import type { Answers, Progress, ProviderSignIn } from '../../identity-providers/sign-in.ts';
import { asServiceError } from '../../requests/error-answer.ts';
import { pagePolicy, passkeyPagePolicy } from '../../requests/html-page.ts';
import type { Verifiers } from '../../rules/principals/principal.ts';
import { plainName } from '../../rules/principals/vouched-login.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { Store } from '../../store/database.ts';
import type { HttpApp } from '../app.ts';
import { originOf } from '../origin.ts';
import { type Form, formOf, takeForms } from '../pages/form-body.ts';
import { passkeyIn } from '../pages/passkey-field.ts';
import { failedLoginPage, questionPage } from '../pages/provider-login.ts';
import { sendPage } from '../pages/send-page.ts';
import type { SessionCookies } from '../session-cookies.ts';
import type { AttemptCookie } from './attempt-cookie.ts';

export interface ProviderRouteDependencies {
  readonly store: Pick<Store, 'vouchedSessions'>;
  readonly signIn: ProviderSignIn;
  readonly clients: ReadonlyMap<string, ProviderClient>;
  readonly cookies: SessionCookies;
  readonly attemptCookie: AttemptCookie;
  readonly verifiers: Pick<Verifiers, 'cookie'>;
}

interface Page {
  readonly Params: { readonly provider: string };
  readonly Querystring: { readonly interaction?: string; readonly pin?: string };
}
type PageRequest = FastifyRequest<Page>;

const BASE = '/v1/auth/providers/:provider';
const INTERACTION = /^[\w-]{1,64}$/;
const entrance = { may: 'anyone', environment: 'none', limitAddress: true } as const;

/** The pages of a login at an identity provider; they work without scripts. */
export function providerRoutes(app: HttpApp, dependencies: ProviderRouteDependencies): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await app.gate.admit(request, reply, entrance);
  };
  const { fastify, routes } = app;
  for (const step of ['start', 'callback'] as const) {
    routes.add('GET', `${BASE}/${step}`, { head: false });
    fastify.get<Page>(`${BASE}/${step}`, { onRequest, exposeHeadRoute: false }, (request, reply) =>
      answering(reply, request, () => STEPS[step](dependencies, request, reply)),
    );
  }
  routes.add('POST', `${BASE}/continue`);
  routes.add('POST', `${BASE}/logout`);
  fastify.register(async (scope) => {
    takeForms(scope);
    scope.post<Page>(`${BASE}/continue`, { onRequest }, (request, reply) =>
      answering(reply, request, () => proceed(dependencies, request, reply)),
    );
    scope.post<Page>(`${BASE}/logout`, { onRequest }, async (request, reply) => {
      const client = dependencies.clients.get(request.params.provider);
      if (client === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
      const [token = ''] = formOf(request.body).logout_token ?? [];
      await logOutByProvider(dependencies.store, client, token);
      return reply.header('cache-control', 'no-store').send();
    });
  });
}

const STEPS = { start, callback };

async function start(
  { signIn, attemptCookie, cookies, verifiers }: ProviderRouteDependencies,
  request: PageRequest,
  reply: FastifyReply,
) {
  const secret = cookies.read(request);
  const principal = secret === null ? null : await verifiers.cookie(secret);
  const target = targetOf(request.query, principal?.userId ?? null);
  const { location, attemptSecret } = await signIn.begin(request.params.provider, target);
  return reply.header('set-cookie', attemptCookie.set(request, attemptSecret)).redirect(location);
}

/** Nowhere else can a login lead. @throws ServiceError AUTH_INVALID_CREDENTIALS */
function targetOf({ interaction, pin }: Page['Querystring'], userId: number | null): Target {
  if (pin !== undefined) {
    if (userId === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
    return { kind: 'pin', userId };
  }
  return interaction !== undefined && INTERACTION.test(interaction)
    ? { kind: 'interaction', uid: interaction }
    : { kind: 'console' };
}

async function callback(
  dependencies: ProviderRouteDependencies,
  request: PageRequest,
  reply: FastifyReply,
) {
  const visitor = visitorOf(dependencies, request);
  const query = request.url.split('?', 2)[1] ?? '';
  return arrive(dependencies, request, reply, await dependencies.signIn.finish(visitor, query));
}

async function proceed(
  dependencies: ProviderRouteDependencies,
  request: PageRequest,
  reply: FastifyReply,
) {
  const { signIn, cookies } = dependencies;
  cookies.assertOwnOrigin(request);
  const visitor = visitorOf(dependencies, request);
  const question = await signIn.question(visitor);
  try {
    const answers = answersOf(formOf(request.body));
    return arrive(dependencies, request, reply, await signIn.answer(visitor, answers));
  } catch (thrown) {
    const error = asServiceError(thrown);
    if (error.status >= 500 || error.code === 'LINK_INVALID') throw thrown;
    reply.status(error.status);
    return ask(reply, questionPage(question, request.call.language, error));
  }
}

function arrive(
  { cookies, attemptCookie }: ProviderRouteDependencies,
  request: PageRequest,
  reply: FastifyReply,
  progress: Progress,
) {
  if (progress.kind === 'asked') {
    reply.header('set-cookie', attemptCookie.set(request, progress.attemptSecret));
    return ask(reply, questionPage(progress.question, request.call.language, null));
  }
  return reply
    .header('set-cookie', cookies.set(request, progress.sessionSecret))
    .header('set-cookie', attemptCookie.clear(request))
    .redirect(placeOf(progress.target), 303);
}

/** Seen from here, so that it works below any prefix that a proxy puts before it. */
function placeOf(target: Target): string {
  switch (target.kind) {
    case 'console':
      return '../../../../console';
    case 'pin':
      return '../../../../console/account';
    case 'interaction':
      return `../../../oauth/interactions/${target.uid}`;
  }
}

async function answering(reply: FastifyReply, request: PageRequest, work: () => Promise<unknown>) {
  try {
    return await work();
  } catch (thrown) {
    const error = asServiceError(thrown);
    if (error.code === 'INTERNAL_ERROR') throw thrown;
    reply.status(error.status);
    const page = failedLoginPage(error, request.call.language, '../../../../console');
    return sendPage(reply, page, pagePolicy());
  }
}

function visitorOf({ attemptCookie }: ProviderRouteDependencies, request: PageRequest) {
  const { provider } = request.params;
  return { provider, secret: attemptCookie.read(request), origin: originOf(request) };
}

function answersOf(form: Form): Answers {
  const name = plainName(form.name?.[0] ?? '');
  const [code] = form.factor_code ?? [];
  return {
    agreed: form.agree_terms?.[0] === 'yes' && form.agree_privacy?.[0] === 'yes',
    ...(name === '' ? {} : { name }),
    ...(code === undefined ? {} : { code: code.trim() }),
    ...(form.decision?.[0] === 'passkey' ? { passkey: passkeyIn(form) } : {}),
  };
}

function ask(reply: FastifyReply, page: string) {
  return sendPage(reply, page, passkeyPagePolicy());
}
