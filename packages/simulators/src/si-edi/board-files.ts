import { printPdf } from '../documents/pdf-document.ts';
import { spreadsheet, XLSX_TYPE } from '../documents/spreadsheet.ts';
import { encode } from '../portal/charset.ts';
import type { Route } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { signedInForData } from '../portal/visit.ts';
import { dayFrom, startOfDay } from '../seed/kst.ts';
import type { Attachment } from './board-data.ts';
import { forms, notices } from './board-data.ts';

const MADE_AT = startOfDay(dayFrom(2026, 1, 2));
const attachments = [...forms, ...notices].flatMap((posting) => posting.attachments);

function fileOf(parameters: URLSearchParams): Attachment | null {
  const found = attachments.find(
    (file) =>
      file.atflId === parameters.get('atflId') && file.atchFileSn === parameters.get('atchFileSn'),
  );
  return found && !found.lost ? found : null;
}

function exists(visit: Visit): Reply {
  signedInForData(visit, 'login');
  return { kind: 'json', status: 200, body: { existYn: fileOf(visit.form) ? 'Y' : 'N' } };
}

async function bytesOf(file: Attachment): Promise<{ bytes: Buffer; contentType: string }> {
  const title = file.fileName.replace(/\.\w+$/, '');
  if (file.kind === 'xlsx') {
    const header = ['성명', '주민등록번호', '자격취득일', '월평균보수'];
    const bytes = await spreadsheet({ name: '서식', header, rows: [] });
    return { bytes, contentType: XLSX_TYPE };
  }
  if (file.kind === 'pdf') {
    const lines = [['작성방법', '굵은 선 안만 작성하여 주십시오.']] as const;
    const bytes = await printPdf({
      title,
      caption: '작성 예시',
      lines,
      closing: [],
      madeAt: MADE_AT,
    });
    return { bytes, contentType: 'application/pdf' };
  }
  const text = `${title}\r\n\r\n이용에 참고하여 주시기 바랍니다.\r\n`;
  return { bytes: encode(text, 'euc-kr'), contentType: 'text/plain' };
}

/** The name goes out in raw EUC-KR bytes inside the header, as old portals send it. */
function oldDisposition(fileName: string): string {
  return `attachment; filename="${encode(fileName, 'euc-kr').toString('latin1')}"`;
}

async function download(visit: Visit): Promise<Reply> {
  signedInForData(visit, 'login');
  const file = fileOf(visit.query);
  if (!file) throw refuse('파일이 존재하지 않습니다.', 'E4005');
  const { bytes, contentType } = await bytesOf(file);
  return { kind: 'file', bytes, contentType, disposition: oldDisposition(file.fileName) };
}

export const fileRoutes: readonly Route[] = [
  post('/file/existsFile.do', exists),
  get('/file/downloadFile.do', download),
];
