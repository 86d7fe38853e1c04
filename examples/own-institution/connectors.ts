import {
  brokenPage,
  type Call,
  cell,
  defineInstitution,
  InstitutionError,
  labelled,
  labelledValues,
  logInByPassword,
  messageIn,
  openPortal,
  type Portal,
  type PortalFace,
  readForm,
  required,
  tableRows,
} from '@changgu/server/connector';

const face: PortalFace = {
  provider: 'my_union',
  // Where this portal reports errors.
  message: (page) => messageIn(page, 'body > .error', 'body > .error_code'),
  // How it refuses an application: then nothing was issued.
  refusals: [{ code: /^U2\d{3}$/ }],
};

async function logIn(call: Call): Promise<Portal> {
  if (call.link?.credential.type !== 'id_password') throw new InstitutionError('AUTH_REQUIRED');
  const portal = openPortal(call, face);
  call.progress(1, 3, '조합 홈페이지에 로그인하고 있습니다');
  const page = await portal.get('/login');
  const names = { form: '#login', id: 'user', password: 'pass' };
  // The list is only there after a login.
  await logInByPassword(portal, page, names, call.link.credential, (answer) =>
    required(answer, '#members'),
  );
  return portal;
}

async function listMembers(call: Call) {
  const portal = await logIn(call);
  call.progress(2, 3, '조합원 명부를 읽고 있습니다');
  const page = await portal.get('/members');
  const rows = tableRows(page, '#members', 2);
  return {
    success: true,
    row_count: rows.length,
    items: rows.map((row) => ({ name: cell(row, 0), joined_on: cell(row, 1) })),
  };
}

async function issueCertificate(call: Call) {
  const { purpose } = call.params;
  const portal = await logIn(call);
  call.progress(2, 3, '증명서를 신청하고 있습니다');
  const form = readForm(await portal.get('/apply'), '#apply');
  const page = await portal.commit(form, {
    purpose: typeof purpose === 'string' ? purpose : '기타',
  });
  const number = labelled(labelledValues(page, '#result'), '증명번호');
  if (number === '') throw brokenPage(page.status);
  return { success: true, certificate_no: number };
}

const text = { type: 'string' } as const;
const success = { type: 'boolean' } as const;

export default defineInstitution({
  provider: 'my_union',
  title: { ko: '우리 조합', en: 'My union' },
  linkTypes: ['id_password'],
  actions: [
    {
      id: 'my_union.members.list',
      title: { ko: '조합원 명부', en: 'List of members' },
      params: { type: 'object', properties: {} },
      result: {
        type: 'object',
        required: ['success', 'row_count', 'items'],
        properties: {
          success,
          row_count: { type: 'integer' },
          items: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'joined_on'],
              properties: { name: text, joined_on: text },
            },
          },
        },
      },
      connector: listMembers,
    },
    {
      id: 'my_union.certificates.issue',
      title: { ko: '조합원 증명서 발급', en: 'Issue a certificate of membership' },
      irreversible: true,
      timeoutSeconds: 180,
      params: { type: 'object', properties: { purpose: text } },
      result: {
        type: 'object',
        required: ['success', 'certificate_no'],
        properties: { success, certificate_no: text },
      },
      connector: issueCertificate,
    },
  ],
});
