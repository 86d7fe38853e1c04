import { hash } from 'node:crypto';
import type { HttpApp } from '../app.ts';
import { HIDDEN_CLIENTS, PAGE_STYLE } from '../pages/reference-style.ts';

/** Everything is served from here: no CDN, no external fonts, no telemetry. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** The key of the demo organization; `dev` only, which listens on loopback alone. */
export interface DemoKey {
  readonly client_id: string;
  readonly client_secret: string;
}

interface Reference {
  readonly page: string;
  readonly script: string;
  readonly policy: string;
}

/** The OpenAPI document and a page to browse it. Both are large, so they are created on first use. */
export function documentationRoutes(
  app: HttpApp,
  openApi: () => Promise<unknown>,
  demoKey: DemoKey | null = null,
): void {
  let document: Promise<string> | undefined;
  let reference: Promise<Reference> | undefined;

  app.routes.add('GET', '/openapi.json');
  app.fastify.get('/openapi.json', async (_request, reply) => {
    document ??= openApi().then((value) => JSON.stringify(value));
    return reply
      .type('application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'max-age=60')
      .send(await document);
  });

  app.routes.add('GET', '/docs');
  app.fastify.get('/docs', async (_request, reply) => {
    reference ??= loadReference(demoKey);
    const { page, policy } = await reference;
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(page);
  });

  app.routes.add('GET', '/docs/js/scalar.js');
  app.fastify.get('/docs/js/scalar.js', async (_request, reply) => {
    reference ??= loadReference(demoKey);
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'max-age=86400')
      .send((await reference).script);
  });
}

/** Filled in so that "try it" works at once. */
function signedInAs({ client_id: username, client_secret: password }: DemoKey) {
  return {
    preferredSecurityScheme: 'client',
    securitySchemes: { client: { username, password } },
  };
}

/** The plugin renders into a separate app, so that four megabytes of script are loaded only when needed. */
async function loadReference(demoKey: DemoKey | null): Promise<Reference> {
  const [{ default: Fastify }, { default: plugin }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const renderer = Fastify();
  await renderer.register(plugin, {
    routePrefix: '/docs',
    configuration: {
      url: 'openapi.json',
      cdn: 'docs/js/scalar.js',
      pageTitle: 'Changgu',
      favicon: 'data:,',
      withDefaultFonts: false,
      telemetry: false,
      // Everything that would lead outside or send the document there.
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      hiddenClients: HIDDEN_CLIENTS,
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      customCss: PAGE_STYLE,
      ...(demoKey ? { authentication: signedInAs(demoKey) } : {}),
    },
  });
  const page = (await renderer.inject('/docs/')).body;
  const script = (await renderer.inject('/docs/js/scalar.js')).body;
  await renderer.close();
  return { page, script, policy: policyOf(page) };
}

/** The page's own inline scripts are allowed by their hashes; no others are. */
function policyOf(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(([, script = '']) => {
    return `'sha256-${hash('sha256', script, 'base64')}'`;
  });
  return [...PAGE_POLICY, `script-src 'self' ${hashes.join(' ')}`].join('; ');
}
