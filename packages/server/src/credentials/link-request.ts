import { LinkRequest } from '@changgu/contract/schemas';
import { toBusinessNumber } from '../rules/identity/business-number.ts';
import { invalidShape } from '../rules/service-error.ts';
import { shapeCheck } from '../validation/shape-check.ts';
import { decryptTexts, type FieldReader } from './decrypt-values.ts';

const LEGACY = 'serverTransmissionData';
const checkInner = shapeCheck(LinkRequest, ['body', LEGACY]);

/**
 * The link request as it was meant: `serverTransmissionData` is one with everything inside.
 * @throws ServiceError 422 when it is mixed with other fields or holds no link request
 */
export async function unwrapLinkRequest(
  reader: FieldReader,
  request: LinkRequest,
): Promise<LinkRequest> {
  const { [LEGACY]: wrapped, ...others } = request;
  if (wrapped === undefined || wrapped === null) return request;
  const mixed = Object.entries(others).find(([, value]) => value !== undefined && value !== null);
  if (mixed) throw refused(`${LEGACY} and ${mixed[0]} cannot be sent together`);
  const { [LEGACY]: text } = await decryptTexts(reader, { [LEGACY]: wrapped });
  return parseInner(text);
}

function parseInner(text: string): LinkRequest {
  let inner: unknown;
  try {
    inner = JSON.parse(text);
  } catch {
    throw refused('The decrypted value is not JSON');
  }
  const violations = checkInner(inner);
  if (violations.length > 0) throw invalidShape(violations);
  // The check above is that of the type.
  const request = inner as LinkRequest;
  if (request[LEGACY]) throw refused('The decrypted value holds itself');
  return request;
}

function refused(msg: string) {
  return invalidShape([{ loc: ['body', LEGACY], msg, type: 'value_error' }]);
}

/** Ten digits, or undefined when none was sent. @throws ServiceError 422 */
export function readBizNumber(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  const digits = toBusinessNumber(text);
  if (digits !== null) return digits;
  throw invalidShape([
    { loc: ['body', 'biz_number'], msg: 'Value is not a business number', type: 'value_error' },
  ]);
}
