import type { Call, JsonObject } from '../connector.ts';
import { loggedIn } from '../portal/logged-in.ts';
import { labelled, labelledValues } from '../portal/page.ts';
import { digitsOrNull } from '../portal/printed-values.ts';
import { taxPortalFace } from './face.ts';

/** tax_portal.s1.user_info */
export function userInfo(call: Call): Promise<JsonObject> {
  return loggedIn(call, taxPortalFace, async (portal) => {
    call.progress(1, 1, '사용자 정보를 읽고 있습니다');
    const page = await portal.get('/user/info');
    const values = labelledValues(page, '#content > table.tbl_info');
    return {
      success: true,
      user_name: labelled(values, '사용자명'),
      business_registration_no: digitsOrNull(labelled(values, '사업자등록번호')),
      member_type: labelled(values, '회원유형'),
    };
  });
}
