import { operations } from '@changgu/contract/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CoreDependencies } from '../../core.ts';
import { readApprover } from '../../oauth/approver.ts';
import type { Interactions } from '../../oauth/interactions.ts';
import { loginOnPage } from '../../principals/login.ts';
import type { PasskeyDependencies } from '../../principals/passkeys.ts';
import { asServiceError } from '../../requests/error-answer.ts';
import { pagePolicy, passkeyPagePolicy } from '../../requests/html-page.ts';
import type { ConsolePrincipal, Verifiers } from '../../rules/principals/principal.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { HttpApp } from '../app.ts';
import type { Gate } from '../gate.ts';
import { originOf } from '../origin.ts';
import { approvalPage } from '../pages/approval.ts';
import { type Form, formOf, takeForms } from '../pages/form-body.ts';
import { endedPage, onwardPage, signInPage, wakePage } from '../pages/interaction.ts';
import { sendPage } from '../pages/send-page.ts';
import type { SessionCookies } from '../session-cookies.ts';
import { choiceOf, pageLoginOf } from './interaction-form.ts';

export interface InteractionRouteDependencies
  extends Pick<CoreDependencies, 'store' | 'tokens' | 'vault' | 'clock'> {
  readonly interactions: Interactions;
  readonly verifiers: Pick<Verifiers, 'cookie'>;
  readonly cookies: SessionCookies;
  readonly passkeys: PasskeyDependencies;
  /** Where else one can sign in. */
  readonly providers: readonly ShownProvider[];
}

/** An identity provider on a button. */
export interface ShownProvider {
  readonly name: string;
  readonly label: string;
}

interface Page {
  readonly Params: { readonly uid: string };
  readonly Querystring: { readonly again?: string };
}

const URL_PATTERN = '/v1/oauth/interactions/:uid';
const { approveOAuthInteraction, denyOAuthInteraction } = operations.oauth;
const entrance = { may: 'anyone', environment: 'none', limitAddress: true } as const;

/** The pages on which a person signs in and decides about a client; they work without scripts. */
export function interactionRoutes(app: HttpApp, dependencies: InteractionRouteDependencies): void {
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    await app.gate.admit(request, reply, entrance);
  };
  app.routes.add('GET', URL_PATTERN);
  app.routes.add('POST', URL_PATTERN);
  app.fastify.get<Page>(URL_PATTERN, { onRequest: admit }, (request, reply) =>
    answering(dependencies, request, reply, () => show(dependencies, request, reply, null)),
  );
  app.fastify.register(async (scope) => {
    takeForms(scope);
    scope.post<Page>(URL_PATTERN, { onRequest: admit }, (request, reply) =>
      answering(dependencies, request, reply, () =>
        act(app.gate, dependencies, request, reply, formOf(request.body)),
      ),
    );
  });
}

type PageRequest = FastifyRequest<Page>;

/** An error is shown on the page that caused it. */
async function answering(
  dependencies: InteractionRouteDependencies,
  request: PageRequest,
  reply: FastifyReply,
  work: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await work();
  } catch (thrown) {
    const error = asServiceError(thrown);
    if (error.status >= 500) throw thrown;
    reply.status(error.status);
    const isOver = ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE', 'AUTH_CSRF_REFUSED'];
    if (isOver.includes(error.code)) {
      return sendPage(reply, endedPage(error, request.call.language), pagePolicy('self'));
    }
    return show(dependencies, request, reply, error);
  }
}

async function show(
  dependencies: InteractionRouteDependencies,
  request: PageRequest,
  reply: FastifyReply,
  problem: ServiceError | null,
) {
  const { language } = request.call;
  const asked = await dependencies.interactions.read(nameOf(request));
  const principal = await whoIs(dependencies, request);
  if (principal !== null) {
    const approver = await readApprover(dependencies.store, principal);
    const csrfToken = principal.session?.csrfToken ?? '';
    const page = approvalPage({ ...approver, csrfToken, asked, problem }, language);
    return sendPage(reply, page, pagePolicy('self'));
  }
  // The session cookie is not sent when another site brought the browser here, so the page reloads itself once.
  const isFirst = request.method === 'GET' && request.query.again === undefined;
  if (isFirst) return sendPage(reply, wakePage(language), pagePolicy('self'));
  return sendPage(
    reply,
    signInPage({ asked, problem, links: linksOf(dependencies, request) }, language),
    passkeyPagePolicy(),
  );
}

async function act(
  gate: Gate,
  dependencies: InteractionRouteDependencies,
  request: PageRequest,
  reply: FastifyReply,
  form: Form,
) {
  const { interactions, cookies } = dependencies;
  const { language } = request.call;
  const [decision] = form.decision ?? [];
  if (decision === 'sign_in' || decision === 'passkey') {
    cookies.assertOwnOrigin(request);
    await interactions.read(nameOf(request));
    const entered = pageLoginOf(form);
    const { secret } = await loginOnPage(dependencies, entered, originOf(request));
    return reply
      .header('set-cookie', cookies.set(request, secret))
      .redirect(`${request.params.uid}?again=1`, 303);
  }
  const isApproved = decision === 'approve';
  const operation = isApproved ? approveOAuthInteraction : denyOAuthInteraction;
  const csrfToken = form.csrf?.[0];
  const { principal } = await gate.admit(request, reply, operation, { csrfToken });
  if (principal?.kind !== 'console_user') throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  const decider = { principal, origin: originOf(request) };
  const onward = isApproved
    ? await interactions.approve(nameOf(request), decider, choiceOf(form))
    : await interactions.deny(nameOf(request), decider);
  return sendPage(reply, onwardPage(onward, language), pagePolicy('self'));
}

function nameOf({ params, headers }: PageRequest) {
  return { uid: params.uid, cookies: headers.cookie };
}

async function whoIs(
  { cookies, verifiers }: InteractionRouteDependencies,
  request: FastifyRequest,
): Promise<ConsolePrincipal | null> {
  const secret = cookies.read(request);
  return secret === null ? null : verifiers.cookie(secret);
}

/** Seen from the page. */
function linksOf({ providers }: InteractionRouteDependencies, { params }: PageRequest) {
  return providers.map(({ name, label }) => ({
    label,
    href: `../../auth/providers/${name}/start?interaction=${params.uid}`,
  }));
}
