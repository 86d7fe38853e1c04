/** How long a person has to decide. */
export const INTERACTION_SECONDS = 600;

/** The page of one interaction. */
export function interactionPath(issuer: string, uid: string): string {
  return `${new URL('v1/oauth/interactions/', issuer).pathname}${uid}`;
}

/** The library's own, which it sends to the page alone. Any page of a sibling domain can set one like it. */
export function interactionCookie(issuer: string): string {
  const name = 'changgu_oauth_interaction';
  return isSecure(issuer) ? `__Secure-${name}` : name;
}

/**
 * Says that an interaction began in this browser. Over https no other host can set it: it has a name of its own for
 * each interaction, because several may begin at once.
 */
export function begunCookie(issuer: string, uid: string): string {
  const attributes = ['Path=/', `Max-Age=${INTERACTION_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
  return [begun(issuer, uid), ...attributes, ...(isSecure(issuer) ? ['Secure'] : [])].join('; ');
}

/** Whether the interaction began in the browser that sent these cookies. */
export function isOfThisBrowser(cookies: string | undefined, issuer: string, uid: string): boolean {
  const own = begun(issuer, uid);
  return (cookies ?? '').split(';').some((pair) => pair.trim() === own);
}

function begun(issuer: string, uid: string): string {
  return `${isSecure(issuer) ? '__Host-' : ''}changgu_oauth_begun_${uid}=1`;
}

function isSecure(issuer: string): boolean {
  return issuer.startsWith('https:');
}
