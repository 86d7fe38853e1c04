import type { webLoginKo } from './web-login-ko.ts';

/** What a login in the browser says. */
export const webLoginEn: typeof webLoginKo = {
  inBrowser: 'Approve in the browser. If it does not open, open this address:',
  onAnotherMachine: (address) => `In any browser, open ${address} and enter this code:`,
  backToTerminal: 'Go back to the terminal. You can close this window.',
  noOAuth: (url) =>
    `This service does not support login in the browser (OAuth): ${url}. Its operator can turn it on with CHANGGU_OAUTH=on.`,
  otherAddress: (given, own) =>
    `The service says that its address is ${own}, not ${given}. Pass that address as --base-url.`,
  denied: 'The request was denied. Nothing was saved.',
  expired: 'The request expired before it was approved. Nothing was saved.',
  failed: (why) => `The service issued no token: ${why}`,
  ended: 'The login in the browser has ended: it expired, or the organization revoked it.',
  keyNeeded:
    'The MCP bridge runs with a client key. Log in with a client ID and secret, or add the /mcp address of the service to the agent directly.',
  notRevoked: (profile) =>
    `Could not revoke the login at the service: ${profile}. Revoke it on the Keys screen of the console.`,
};
