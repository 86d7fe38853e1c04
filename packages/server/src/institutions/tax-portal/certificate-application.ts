import { takesOwner, wrongOwner } from '../../rules/links/owner-kind.ts';
import type { Call, JsonObject } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { digitsParam, integerParam, textParam } from '../params.ts';
import { type PortalForm, readForm } from '../portal/form.ts';
import { loggedIn } from '../portal/logged-in.ts';
import { labelled, labelledValues, type PortalPage } from '../portal/page.ts';
import type { Portal } from '../portal/portal.ts';
import { printedMoment, textOrNull } from '../portal/printed-values.ts';
import { attachPrint } from './certificate-print.ts';
import { taxPortalFace } from './face.ts';
import { loggedInBusiness } from './permission.ts';

const STEPS = 5;

/**
 * The nine `tax_portal.c1.<certificate>`: apply, confirm, submit, print. The submit step takes
 * effect and is never repeated.
 */
export function applyForCertificate(call: Call): Promise<JsonObject> {
  const { screenId, certificateCode } = screenOf(call);
  refuseOtherOwners(call);
  return loggedIn(call, taxPortalFace, async (portal) => {
    await refuseOtherBusiness(call, portal);
    const submitForm = await confirm(call, portal, screenId);
    call.progress(4, STEPS, '증명을 신청하고 있습니다');
    const result = await portal.commit(submitForm, {});
    const issued = issuedOf(result);
    call.progress(5, STEPS, '발급된 증명을 내려받고 있습니다');
    const attached = issued.issue_no !== null && (await attachPrint(call, portal, issued.issue_no));
    return {
      success: true,
      screen_id: screenId,
      certificate_code: certificateCode,
      ...issued,
      document_attached: attached,
      copies: copiesOf(call),
      language: languageOf(call),
    };
  });
}

function screenOf({ action }: Call): { screenId: string; certificateCode: string } {
  const { screenId, certificateCode } = action.taxPortal ?? {};
  if (!screenId || !certificateCode) throw new TypeError(`${action.id} has no screen`);
  return { screenId, certificateCode };
}

/** Businesses only or persons only, according to the link's certificate, and no one else's number. */
function refuseOtherOwners({ action, link, params }: Call): void {
  const { ownerKind } = action;
  if (ownerKind !== null && !takesOwner(ownerKind, link?.ownerKind ?? null)) {
    throw refused(wrongOwner(ownerKind).ko);
  }
  const wanted = digitsParam(params, 'business_registration_no');
  const own = link?.businessNumber?.replaceAll('-', '');
  if (wanted !== null && own && wanted !== own) {
    throw refused('연결된 사업자등록번호와 다릅니다.');
  }
}

/**
 * The certificate is issued for the logged-in business. The requested number is compared with that, not with
 * the link's data.
 */
async function refuseOtherBusiness({ params }: Call, portal: Portal): Promise<void> {
  const wanted = digitsParam(params, 'business_registration_no');
  if (wanted === null) return;
  if ((await loggedInBusiness(portal)) === wanted) return;
  throw refused('로그인한 사업자의 사업자등록번호와 다릅니다.');
}

function refused(message: string): InstitutionError {
  return new InstitutionError('PROVIDER_VALIDATION_ERROR', { message });
}

/** Everything before the step that takes effect; returns that step's form. */
async function confirm(call: Call, portal: Portal, screenId: string): Promise<PortalForm> {
  call.progress(1, STEPS, '신청 화면을 열고 있습니다');
  const applyPage = await portal.get('/certificates/apply', { screenId });
  call.progress(2, STEPS, '신청 내용을 입력하고 있습니다');
  const { params } = call;
  const confirmPage = await portal.submit(readForm(applyPage, '#applyForm'), {
    usePurpose: textParam(params, 'purpose_code') ?? '99',
    submitTo: textParam(params, 'submit_to_code') ?? '99',
    rsnoOpenYn: textParam(params, 'resident_no_display_yn') ?? 'N',
    issueCnt: String(copiesOf(call)),
    langCd: languageOf(call),
  });
  call.progress(3, STEPS, '신청 내용을 확인하고 있습니다');
  return readForm(confirmPage, '#submitForm');
}

function issuedOf(page: PortalPage) {
  const values = labelledValues(page, '#content > table.tbl_info');
  const appliedAt = textOrNull(labelled(values, '신청일시'));
  return {
    certificate_name: labelled(values, '민원명'),
    receipt_no: labelled(values, '접수번호'),
    issue_no: textOrNull(labelled(values, '발급번호')),
    status: labelled(values, '처리상태'),
    applied_at: appliedAt === null ? null : printedMoment(appliedAt),
  };
}

function copiesOf({ params }: Call): number {
  return integerParam(params, 'copies') ?? 1;
}

function languageOf({ params }: Call): 'KO' | 'EN' {
  return textParam(params, 'language') === 'EN' ? 'EN' : 'KO';
}
