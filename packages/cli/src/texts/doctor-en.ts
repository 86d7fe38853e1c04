import type { Texts } from './ko.ts';

/** The same in English. */
export const doctorEn: Texts['doctor'] = {
  ok: 'ok',
  bad: 'problem',
  checks: {
    node: 'Node version',
    config: 'configuration',
    permissions: 'credential file permissions',
    keychain: 'system keychain',
    service: 'service',
    clock: 'clock',
    credentials: 'credentials',
  },
  keychainUnused: (why) => `none; credentials are stored in a file (${why})`,
  keychainForgets: 'A stored value could not be read back.',
  tooOpen: (mode) => `readable by other users (${mode})`,
  skew: (seconds) => `${seconds} s from the service`,
  missing: 'none',
};
