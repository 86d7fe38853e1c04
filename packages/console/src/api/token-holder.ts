let unknown = 0;

/**
 * Whose token it is, as the server has verified it. Ids of operators and of people are counted apart, so an id alone
 * says nothing; and a holder who is not known to be an operator is always a new one.
 */
export function holderOf(token: string): string {
  const { pk, sub } = claimsOf(token);
  if (pk === 'admin_user' && sub !== undefined) return `operator ${sub}`;
  unknown += 1;
  return `unknown ${unknown}`;
}

interface Claims {
  readonly pk?: string;
  readonly sub?: string;
}

/** None where it is not a JWT. */
function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.');
  try {
    const claims: Claims | null = JSON.parse(
      atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
    );
    return claims ?? {};
  } catch {
    return {};
  }
}
