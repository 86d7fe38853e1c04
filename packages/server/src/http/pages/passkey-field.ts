import { PasskeyProof } from '@changgu/contract/schemas';
import { invalidShape } from '../../rules/service-error.ts';
import { shapeCheck } from '../../validation/shape-check.ts';
import type { Form } from './form-body.ts';

const check = shapeCheck(PasskeyProof, ['body', 'passkey']);

/** What the page's script filled in. @throws ServiceError 422 when it is not the answer of an authenticator */
export function passkeyIn({ passkey }: Form): PasskeyProof {
  const proof: PasskeyProof = parsed(passkey?.[0] ?? '');
  const violations = check(proof);
  if (violations.length > 0) throw invalidShape(violations);
  return proof;
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
