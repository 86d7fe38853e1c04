import { readXml } from '../portal/bodies.ts';
import { brokenPage } from '../portal/page.ts';
import type { Portal } from '../portal/portal.ts';
import { messageError } from '../portal/portal-message.ts';
import { digitsOrNull } from '../portal/printed-values.ts';
import { taxPortalFace } from './face.ts';

const QUESTION = {
  content: '<map id="postParam"/>',
  contentType: 'application/xml; charset=UTF-8',
};

/** The business number of who is logged in, as the portal's own screens ask for it; null for a person. */
export async function loggedInBusiness(portal: Portal): Promise<string | null> {
  const answer = await portal.ask({ method: 'POST', path: '/permission.do', body: QUESTION });
  const { $ } = readXml(answer);
  const said = (name: string) => $(`map > ${name}`).first().text().trim();
  if (said('result') !== 'S') {
    const message = { text: said('msg'), code: said('code') || null };
    if (message.text === '') throw brokenPage(answer.status);
    throw messageError(taxPortalFace, message, answer.status, 'inquiry');
  }
  if ($('map > tin').length !== 1) throw brokenPage(answer.status);
  return digitsOrNull(said('tin'));
}
