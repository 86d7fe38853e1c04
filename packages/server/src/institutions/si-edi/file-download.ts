import type { Call, JsonObject } from '../connector.ts';
import { textParam } from '../params.ts';
import { readJson } from '../portal/bodies.ts';
import { dispositionFileName } from '../portal/charset.ts';
import { readForm } from '../portal/form.ts';
import { loggedIn } from '../portal/logged-in.ts';
import { brokenPage } from '../portal/page.ts';
import { formRequest, type Portal } from '../portal/portal.ts';
import { FORMS } from './boards.ts';
import { siEdiFace } from './face.ts';

/** Larger files are artifacts only. */
const MAX_BASE64_BYTES = 10 * 1024 * 1024;
const DOWNLOAD_PATH = '/file/downloadFile.do';

interface FileName {
  readonly atflId: string;
  readonly atchFileSn: string;
}

/** si_edi.b1.resources.files.download: checks that a file exists and fetches it on request. */
export function downloadFile(call: Call): Promise<JsonObject> {
  return loggedIn(call, siEdiFace, async (portal) => {
    const dryRun = call.params.dry_run !== false;
    const file = {
      atflId: textParam(call.params, 'atfl_id') ?? '',
      atchFileSn: textParam(call.params, 'atch_file_sn') ?? '',
    };
    call.progress(1, dryRun ? 1 : 2, '파일이 있는지 확인하고 있습니다');
    const answer = await existenceOf(portal, file);
    const exists = answer === 'Y';
    const found = {
      atfl_id: file.atflId,
      atch_file_sn: file.atchFileSn,
      exists,
      exists_response: { exist_yn: answer },
    };
    const downloaded = !dryRun && exists;
    const answered = { success: true, dry_run: dryRun, downloaded, ...found };
    if (!downloaded) return { ...answered, ...NOTHING };
    call.progress(2, 2, '파일을 내려받고 있습니다');
    return { ...answered, ...(await fetchFile(call, portal, file)) };
  });
}

const NOTHING: JsonObject = {
  download_url: null,
  file_name: null,
  content_type: null,
  bytes_len: null,
  base64: null,
};

/** Y or N; every page of the portal contains the form with the token. */
async function existenceOf(portal: Portal, file: FileName): Promise<string> {
  const form = readForm(await portal.get(FORMS.initPath), '#existsForm');
  const response = await portal.ask(formRequest(form, { ...file }));
  const answer = readJson(response);
  const existYn = typeof answer === 'object' && answer !== null && 'existYn' in answer;
  if (existYn && (answer.existYn === 'Y' || answer.existYn === 'N')) return answer.existYn;
  throw brokenPage(response.status);
}

async function fetchFile(call: Call, portal: Portal, file: FileName): Promise<JsonObject> {
  const { bytes, contentType, url, header } = await portal.download(DOWNLOAD_PATH, { ...file });
  const fileName = dispositionFileName(header('content-disposition')) ?? file.atchFileSn;
  const dot = fileName.lastIndexOf('.');
  await call.artifacts.add({
    bytes,
    contentType: contentType ?? 'application/octet-stream',
    extension: dot > 0 ? fileName.slice(dot + 1) : 'bin',
    qualifier: dot > 0 ? fileName.slice(0, dot) : fileName,
  });
  const wanted = call.params.include_base64 === true && bytes.length <= MAX_BASE64_BYTES;
  return {
    download_url: url,
    file_name: fileName,
    content_type: contentType,
    bytes_len: bytes.length,
    base64: wanted ? Buffer.from(bytes).toString('base64') : null,
  };
}
