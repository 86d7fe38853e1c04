import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../../server/test/support/start-server.ts';
import { type TestHome, testHome } from './run.ts';

export interface Service {
  readonly server: TestServer;
  /** A home with the demo client's key in its environment. */
  readonly home: TestHome;
  readonly env: Readonly<Record<string, string>>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A whole server in this process, and a home that knows it. */
export async function startService(options: TestServerOptions = {}): Promise<Service> {
  // At the end nothing waits for the jobs that tests left running.
  const server = await startTestServer({
    ...options,
    env: { SHUTDOWN_SECONDS: '0', ...options.env },
  });
  const env = {
    CHANGGU_BASE_URL: server.url,
    CHANGGU_CLIENT_ID: server.client.client_id,
    CHANGGU_CLIENT_SECRET: server.client.client_secret,
  };
  const home = await testHome(env);
  return {
    server,
    home,
    env,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
