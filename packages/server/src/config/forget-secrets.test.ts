import { expect, it } from 'vitest';
import { forgetSecrets } from './forget-secrets.ts';

it('leaves modules nothing secret in the environment, and everything else (D64)', () => {
  const env = {
    CHANGGU_MASTER_KEY: 'secret',
    CHANGGU_DATABASE_URL: 'postgres://user:secret@db/changgu',
    CHANGGU_PAYMENT_SECRET_KEY: 'secret',
    CHANGGU_LOG_LEVEL: 'info',
    PATH: '/bin',
  };
  forgetSecrets(env);
  expect(env).toEqual({ CHANGGU_LOG_LEVEL: 'info', PATH: '/bin' });
});
