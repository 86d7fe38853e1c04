import { operations } from '@changgu/contract/schemas';
import type { EncryptionKeys } from '../../crypto/encryption-keys.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

/** The public keys that values are encrypted for; one ring for all environments (D58). */
export function cryptoKeyRoutes(app: HttpApp, encryptionKeys: Pick<EncryptionKeys, 'jwks'>): void {
  route(app, operations.cryptoKey.readEncryptionKeys, async () => {
    const { keys } = await encryptionKeys.jwks();
    return {
      status: 200,
      body: { keys: [...keys] },
      headers: { 'cache-control': 'max-age=300' },
    };
  });
}
