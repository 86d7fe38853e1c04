/** How long a person has to decide. */
export const INTERACTION_SECONDS = 600;

/** The page of one interaction. Its cookie is sent there and to the operations below it only. */
export function interactionPath(issuer: string, uid: string): string {
  return `${new URL('v1/oauth/interactions/', issuer).pathname}${uid}`;
}

/** Over https, only our own https pages can have set it. */
export function interactionCookie(issuer: string): string {
  const name = 'changgu_oauth_interaction';
  return issuer.startsWith('https:') ? `__Secure-${name}` : name;
}

/** Whether the interaction began in the browser that sent these cookies. */
export function isOfThisBrowser(cookies: string | undefined, issuer: string, uid: string): boolean {
  const own = `${interactionCookie(issuer)}=${uid}`;
  return (cookies ?? '').split(';').some((pair) => pair.trim() === own);
}
