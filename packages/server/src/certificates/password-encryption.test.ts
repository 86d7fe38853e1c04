import crypto, { type pbkdf2 } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import {
  certificateFile,
  certificatePassword,
} from '../../test/fixtures/certificates/certificate-files.ts';
import { useBuiltinSpies } from '../../test/support/builtin-spies.ts';
import { openPrivateKey } from './private-key.ts';

/** How many derivations Node is asked for at once. */
const runs = { active: 0, most: 0, all: 0 };

useBuiltinSpies(() => {
  const original = crypto.pbkdf2;
  const counted: typeof pbkdf2 = (password, salt, iterations, keyBytes, digest, callback) => {
    runs.active += 1;
    runs.all += 1;
    runs.most = Math.max(runs.most, runs.active);
    original(password, salt, iterations, keyBytes, digest, (...outcome) => {
      runs.active -= 1;
      callback(...outcome);
    });
  };
  vi.spyOn(crypto, 'pbkdf2').mockImplementation(counted);
});

it('uploads derive their keys two at a time, and leave the pool to others', async () => {
  const key = certificateFile('aes-256-sha512.key');
  await Promise.all(Array.from({ length: 6 }, () => openPrivateKey(key, certificatePassword)));
  expect(runs).toEqual({ active: 0, most: 2, all: 6 });
});
