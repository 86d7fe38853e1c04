import {
  type Call,
  type Connector,
  cell,
  defineInstitution,
  InstitutionError,
  logInByPassword,
  messageError,
  messageIn,
  openPortal,
  type PortalFace,
  type PortalPage,
  parsePage,
  tableRows,
} from '../../src/connector.ts';

/** Connectors that each break one rule of the contract, for the suite to find. */

const face: PortalFace = {
  provider: 'careless',
  message: (page) => messageIn(page, 'body > .error', 'body > .code'),
};
const FORM = { form: '#login', id: 'user', password: 'pass' };

type Reader = (page: PortalPage) => unknown;

function credentialOf({ link }: Call) {
  if (link?.credential.type !== 'id_password') throw new InstitutionError('AUTH_REQUIRED');
  return link.credential;
}

async function rowsAfterLogin(call: Call, read: Reader) {
  const portal = openPortal(call, face);
  call.progress(1, 2, '로그인하고 있습니다');
  await logInByPassword(portal, await portal.get('/login'), FORM, credentialOf(call), read);
  call.progress(2, 2, '명부를 읽고 있습니다');
  return tableRows(await portal.get('/members'), '#members', 1).map((row) => cell(row, 0));
}

const isMembers: Reader = (page) => tableRows(page, '#members', 1);

const ACTIONS: Readonly<Record<string, Connector>> = {
  /** A page that could not be read becomes an empty list. */
  swallow: async (call) => ({
    names: await rowsAfterLogin(call, isMembers).catch(() => []),
  }),
  /** Takes whatever comes after the login for a login. */
  trusting: async (call) => ({ names: await rowsAfterLogin(call, () => true) }),
  /** Sends the password again when it does not know the answer. */
  stubborn: async (call) => {
    const client = call.openPortal();
    call.progress(1, 1, '로그인하고 있습니다');
    const { loginId, loginPassword } = credentialOf(call);
    const form = { user: loginId, pass: loginPassword };
    const logIn = async () => {
      const order = { method: 'POST', path: '/login', form } as const;
      const page = parsePage(await call.presentCredential(() => client.request(order)));
      const message = face.message(page);
      if (message !== null) throw messageError(face, message, page.status, 'login');
      return tableRows(page, '#members', 1).map((row) => cell(row, 0));
    };
    return { names: await logIn().catch(logIn) };
  },
  /** Prints what it sends. */
  chatty: async (call) => {
    console.log('logging in with', credentialOf(call).loginPassword);
    return { names: await rowsAfterLogin(call, isMembers) };
  },
  /** Keeps the password in a file. */
  archivist: async (call) => {
    const names = await rowsAfterLogin(call, isMembers);
    const bytes = Buffer.from(`password: ${encodeURIComponent(credentialOf(call).loginPassword)}`);
    await call.artifacts.add({ bytes, contentType: 'text/plain', extension: 'txt' });
    return { names };
  },
  careful: async (call) => ({ names: await rowsAfterLogin(call, isMembers) }),
};

export default defineInstitution({
  provider: 'careless',
  title: { ko: '시험', en: 'Careless' },
  linkTypes: ['id_password'],
  actions: Object.entries(ACTIONS).map(([name, connector]) => ({
    id: `careless.${name}`,
    title: { ko: name, en: name },
    params: { type: 'object', properties: {} },
    result: { type: 'object', properties: { names: { type: 'array', items: { type: 'string' } } } },
    connector,
  })),
});
