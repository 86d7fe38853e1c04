import { request } from 'undici';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DemoCertificate, LogReport, Provider, Simulators, Site } from '../src/index.ts';
import { startSimulators } from '../src/index.ts';
import { Browser } from './browser.ts';
import { signNonce } from './open-key.ts';

/** 2026-11-20 14:00 KST. */
export const START = Date.parse('2026-11-20T14:00:00+09:00');

/** Running simulators of a test file, with a clock the tests move. */
export class Stage {
  now = START;
  #simulators: Simulators | null = null;

  get simulators(): Simulators {
    if (!this.#simulators) throw new Error('not started');
    return this.#simulators;
  }

  async start(): Promise<void> {
    this.#simulators = await startSimulators({ now: () => this.now });
  }

  browser(site: Site): Browser {
    return new Browser(this.simulators.urls[site]);
  }

  async control(path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const answer = await request(this.simulators.controlUrl + path, {
      method: body ? 'POST' : 'GET',
      ...(body
        ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        : {}),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  }

  async log(provider: Site): Promise<LogReport> {
    const answer = await request(`${this.simulators.controlUrl}/${provider}/log`);
    return (await answer.body.json()) as LogReport; // The control API's own type.
  }
}

/** Starts the simulators once per file and resets them before each test. */
export function useStage(): Stage {
  const stage = new Stage();
  beforeAll(() => stage.start());
  afterAll(() => stage.simulators.close());
  beforeEach(async () => {
    stage.now = START;
    await stage.control('/reset', {});
  });
  return stage;
}

const CERTIFICATE_FIELDS: Record<
  Provider,
  readonly [page: string, nonce: string, cert: string, sign: string]
> = {
  tax_portal: ['/login', 'svrNonce', 'certDer', 'logSgnt'],
  employment: ['/login/loginForm.do', 'svrNonce', 'certData', 'signData'],
  si_edi: ['/wbiz/login/loginForm.do', 'challenge', 'signCert', 'signValue'],
  bank_a: ['/login', 'challenge', 'certDer', 'signature'],
  bank_b: ['/login.jsp', '전자서명원문', '인증서', '전자서명'],
  bank_c: ['/login/login.do', 'challenge', 'signCert', 'signData'],
  bank_d: ['/login', 'challenge', 'cert', 'sign'],
};

function taxSignature(nonce: string, certificate: DemoCertificate, signature: string): string {
  const serial = serialOf(certificate);
  return Buffer.from(`${nonce}$${serial}$20261120140000$${signature}`).toString('base64');
}

function serialOf({ certificateDer }: DemoCertificate): string {
  // serialNumber INTEGER of a v3 certificate: after two headers and the version.
  const at = certificateDer.indexOf(Buffer.from([0xa0, 0x03, 0x02, 0x01, 0x02, 0x02])) + 6;
  return certificateDer.subarray(at + 1, at + 1 + (certificateDer[at] ?? 0)).toString('hex');
}

/** Signs the nonce of the portal's login page and posts it; `more` are further fields. */
export async function certificateLogin(
  browser: Browser,
  provider: Provider,
  certificate: DemoCertificate,
  more: Record<string, string> = {},
): Promise<void> {
  const [page, nonceField, certificateField, signatureField] = CERTIFICATE_FIELDS[provider];
  await browser.get(page);
  const nonce = browser.view.$(`#certLoginForm input[name="${nonceField}"]`).attr('value') ?? '';
  const signature = signNonce(certificate, nonce);
  await browser.submit('#certLoginForm', {
    [certificateField]: certificate.certificateDer.toString('base64'),
    [signatureField]:
      provider === 'tax_portal' ? taxSignature(nonce, certificate, signature) : signature,
    ...more,
  });
}

/** Label and value of a th/td table. */
export function labelled(browser: Browser, selector: string): Record<string, string> {
  const { $ } = browser.view;
  const pairs: Record<string, string> = {};
  $(`${selector} th`).each((_, th) => {
    pairs[$(th).text()] = $(th).next('td').text();
  });
  return pairs;
}

/** Texts of the cells of a table's body rows. */
export function rowsOf(browser: Browser, selector: string): string[][] {
  const { $ } = browser.view;
  return $(`${selector} tbody tr`)
    .toArray()
    .map((row) =>
      $(row)
        .find('td')
        .toArray()
        .map((cell) => $(cell).text()),
    );
}

export const won = (text: string): number => Number(text.replace(/[,원+]/g, ''));
