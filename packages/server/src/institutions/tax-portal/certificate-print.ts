import type { Call, JsonObject } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { textParam } from '../params.ts';
import { wholeFile } from '../portal/bodies.ts';
import { loggedIn } from '../portal/logged-in.ts';
import type { Portal } from '../portal/portal.ts';
import { taxPortalFace } from './face.ts';

/** Printing is only a read: it can be requested again when it fails. */
const PRINT_ATTEMPTS = 3;
/** What an application still needs after its print-out. */
const RESERVE_MS = 10_000;

/** tax_portal.c1.certificate_print: a previously issued certificate, as a file. */
export function printCertificate(call: Call): Promise<JsonObject> {
  const issueNo = textParam(call.params, 'issue_no') ?? '';
  return loggedIn(call, taxPortalFace, async (portal) => {
    call.progress(1, 1, '발급된 증명을 내려받고 있습니다');
    await print(call, portal, issueNo);
    return { success: true, issue_no: issueNo };
  });
}

/**
 * The certificate is issued whatever happens to the print-out, and a job that runs out of time would lose its numbers.
 * False when there is no file.
 */
export async function attachPrint(call: Call, portal: Portal, issueNo: string): Promise<boolean> {
  const spared = portal.sparing(RESERVE_MS);
  for (let attempt = 1; attempt <= PRINT_ATTEMPTS; attempt += 1) {
    try {
      await print(call, spared, issueNo);
      return true;
    } catch (error) {
      if (!(error instanceof InstitutionError)) throw error;
      if (error.details.leaveAloneMs !== undefined) return false;
    }
  }
  return false;
}

async function print(call: Call, portal: Portal, issueNo: string): Promise<void> {
  const bytes = wholeFile(await portal.download('/certificates/print', { issueNo }), 'pdf');
  await call.artifacts.add({ bytes, contentType: 'application/pdf', extension: 'pdf' });
}
