import { Type } from 'typebox';
import { type ActionDefinition, defineAction, type Text } from '../define-action.ts';
import { nullable, oneOf } from '../schemas/vocabulary.ts';
import {
  businessRegistrationNo,
  choice,
  count,
  described,
  maybeText,
  ownText,
  success,
  text,
} from './fields.ts';
import { PURPOSE_CODES, SUBMIT_TO_CODES } from './tax-portal-codes.ts';

/** The params of every application. */
const applicationParams = Type.Object({
  business_registration_no: Type.Optional(businessRegistrationNo),
  purpose_code: Type.Optional(
    choice(
      PURPOSE_CODES,
      { ko: '증명의 사용용도', en: 'What it is used for (사용용도)' },
      { default: '99', 'x-label': '사용용도' },
    ),
  ),
  submit_to_code: Type.Optional(
    choice(
      SUBMIT_TO_CODES,
      { ko: '증명의 제출처', en: 'Who receives it (제출처)' },
      { default: '99', 'x-label': '제출처' },
    ),
  ),
  resident_no_display_yn: Type.Optional(
    choice(
      { Y: { ko: '공개', en: 'in full' }, N: { ko: '비공개', en: 'masked' } },
      {
        ko: '주민등록번호 뒷자리 공개 여부',
        en: 'How to print the resident number (주민등록번호 공개 여부)',
      },
      { default: 'N', 'x-label': '주민등록번호 공개' },
    ),
  ),
  copies: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 1,
      'x-label': '수량',
      ...described({ ko: '발급 수량(1~10).', en: 'Copies (수량)' }),
    }),
  ),
  language: Type.Optional(
    choice(
      { KO: { ko: '한글', en: 'Korean' }, EN: { ko: '영문', en: 'English' } },
      { ko: '증명의 언어', en: 'Language of the certificate' },
      { default: 'KO', 'x-label': '발급 언어' },
    ),
  ),
});

const applicationResult = Type.Object({
  success,
  screen_id: ownText('Screen of the portal'),
  certificate_code: text('Code of the certificate'),
  certificate_name: text('Name of the certificate (민원명)'),
  receipt_no: text('Receipt number (접수번호)'),
  issue_no: maybeText('Issue number (발급번호); null while the portal is still working on it'),
  document_attached: Type.Boolean({
    description:
      'Whether the PDF is among the artifacts. False when the portal issued the certificate and did not print it: print it with tax_portal.c1.certificate_print',
  }),
  status: text('State that the portal prints (처리상태)'),
  applied_at: maybeText('Time of the application, ISO-8601 with +09:00'),
  copies: nullable(count('Copies asked for')),
  language: nullable(oneOf(['KO', 'EN'], { description: 'Language of the certificate' })),
});

interface Certificate {
  /** The last segment of the path; the action's is the same in snake_case. */
  readonly segment: string;
  readonly name: Text;
  readonly code: string;
  readonly screenId: string;
  readonly ownerKind?: ActionDefinition['ownerKind'];
  /** For segments that would make a tool's name too long. */
  readonly toolName?: string;
}

const CERTIFICATES: readonly Certificate[] = [
  {
    segment: 'national-tax-payment',
    name: { ko: '납세증명서', en: 'national tax payment certificate' },
    code: 'B0006',
    screenId: 'UTERDAAA04',
  },
  {
    segment: 'tax-payment-record',
    name: { ko: '납부내역증명', en: 'tax payment fact certificate' },
    code: 'B0005',
    screenId: 'UTERDAAA06',
  },
  {
    segment: 'vat-standard',
    name: { ko: '부가가치세 과세표준증명', en: 'VAT tax-base certificate' },
    code: 'B0008',
    screenId: 'UTERDAAA08',
  },
  {
    segment: 'business-registration',
    name: { ko: '사업자등록증명', en: 'business registration certificate' },
    code: 'B0001',
    screenId: 'UTEABGAA21',
  },
  {
    segment: 'business-suspension',
    name: { ko: '휴업사실증명', en: 'suspension fact certificate' },
    code: 'B0011',
    screenId: 'UTEABDAA02',
    ownerKind: 'business',
  },
  {
    segment: 'financial-statement',
    name: { ko: '표준재무제표증명', en: 'standard financial statement certificate' },
    code: 'B0013',
    screenId: 'UTEABDAA04',
    ownerKind: 'business',
  },
  {
    segment: 'business-closure',
    name: { ko: '폐업사실증명', en: 'closure fact certificate' },
    code: 'B0012',
    screenId: 'UTEABDAA03',
    ownerKind: 'business',
  },
  {
    segment: 'business-registration-reissue',
    name: { ko: '사업자등록증 재발급', en: 'reissued business registration certificate' },
    code: 'A0003',
    screenId: 'UTEABAAA12',
    ownerKind: 'business',
    toolName: 'tax_portal_business_reg_reissue',
  },
  {
    segment: 'income-statement',
    name: {
      ko: '소득금액증명(종합소득세 신고자용)',
      en: 'income amount certificate for comprehensive-income filers',
    },
    code: 'B1022',
    screenId: 'UTESFAAE35',
    ownerKind: 'individual',
  },
];

const OWNER_NOTE = {
  business: { ko: ' 사업자만 신청할 수 있습니다.', en: ' Business owners only.' },
  individual: { ko: ' 개인만 신청할 수 있습니다.', en: ' Individuals only.' },
} as const;

/** Issues a certificate: takes effect at the portal, costs 3 tokens, is never run twice. */
function application({
  segment,
  name,
  code,
  screenId,
  ownerKind = null,
  toolName,
}: Certificate): ActionDefinition {
  const snake = segment.replaceAll('-', '_');
  const issuing = name.ko.endsWith('발급') ? name.ko : `${name.ko} 발급`;
  const note = ownerKind ? OWNER_NOTE[ownerKind] : { ko: '', en: '' };
  return defineAction({
    id: `tax_portal.c1.${snake}`,
    title: { ko: issuing, en: `Issue the ${name.en}` },
    description: {
      ko: `국세 포털에 ${issuing}을 신청하고 PDF로 받습니다.${note.ko} 신청은 되돌릴 수 없으므로, 결과가 불확실하게 끝나면 다시 신청하지 말고 신청 목록을 먼저 확인하십시오.`,
      en: `Applies for the ${name.en} and fetches it as a PDF.${note.en} An application cannot be undone: when the outcome is unknown, check the list of applications before applying again.`,
    },
    params: applicationParams,
    result: applicationResult,
    usageTokens: 3,
    irreversible: true,
    needsSession: true,
    loginAction: 'tax_portal.s1.login',
    timeoutSeconds: 180,
    toolName: toolName ?? `tax_portal_${snake}`,
    file: { format: 'pdf', task: name.ko.replace(/\(.*\)/, '').replaceAll(' ', '_') },
    taxPortal: {
      method: 'POST',
      path: `/a/c1/${segment}`,
      screenId,
      certificateCode: code,
      envelope: true,
    },
    ownerKind,
  });
}

export const certificateApplications = CERTIFICATES.map(application);
