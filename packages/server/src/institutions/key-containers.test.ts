import {
  demoCertificates,
  demoContainers,
  demoMembers,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCertificate } from '../certificates/open-certificate.ts';
import { signChallenge } from '../certificates/sign-challenge.ts';
import { siEdi } from './si-edi/si-edi.ts';
import { fakeCall } from './testing/fake-call.ts';

const NOW = Date.parse('2026-11-21T12:00:00+09:00');
const LOGIN = 'si_edi.auth.session.login';
const { certificateDer: certificate, encryptedKeyDer, password } = demoCertificates.corporation;

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => NOW });
});
afterAll(() => simulators.close());

describe('a certificate logs in at a portal, whatever its key came in', () => {
  it.each([
    ['PBES2', { certificate, encryptedKey: encryptedKeyDer }],
    ['the older Korean scheme', { certificate, encryptedKey: demoContainers.olderKeyDer }],
    ['PKCS#12', { pkcs12: demoContainers.pkcs12Der }],
  ])('%s', async (_, files) => {
    const opened = await openCertificate({ ...files, password }, NOW);
    const call = await fakeCall({
      baseUrl: simulators.urls.si_edi,
      action: LOGIN,
      now: () => NOW,
      link: {
        businessNumber: demoMembers.corporation.businessNumber,
        credential: {
          type: 'certificate',
          certificateDer: opened.certificateDer,
          randomVid: opened.randomVid,
          sign: (challenge) => signChallenge(opened.privateKeyDer, challenge),
        },
      },
    });
    expect(await siEdi.connectors[LOGIN]?.(call)).toMatchObject({ success: true });
  });
});
