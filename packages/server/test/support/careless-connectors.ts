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
  type Portal,
  type PortalFace,
  type PortalForm,
  type PortalPage,
  parsePage,
  readForm,
  required,
  tableRows,
  textOf,
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

async function logIn(call: Call, read: Reader) {
  const portal = openPortal(call, face);
  call.progress(1, 2, '로그인하고 있습니다');
  await logInByPassword(portal, await portal.get('/login'), FORM, credentialOf(call), read);
  return portal;
}

async function rowsAfterLogin(call: Call, read: Reader) {
  const portal = await logIn(call, read);
  call.progress(2, 2, '명부를 읽고 있습니다');
  return tableRows(await portal.get('/members'), '#members', 1).map((row) => cell(row, 0));
}

const isMembers = (page: PortalPage) => tableRows(page, '#members', 1);

let runs = 0;

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
    const send = async () => {
      const order = { method: 'POST', path: '/login', form } as const;
      const page = parsePage(await call.presentCredential(() => client.request(order)));
      const message = face.message(page);
      if (message !== null) throw messageError(face, message, page.status, 'login');
      return tableRows(page, '#members', 1).map((row) => cell(row, 0));
    };
    return { names: await send().catch(send) };
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
  /** Announces what it sends. */
  herald: async (call) => {
    call.progress(1, 2, `비밀번호 ${credentialOf(call).loginPassword}로 로그인하고 있습니다`);
    return { names: await rowsAfterLogin(call, isMembers) };
  },
  /** Returns what it sent. */
  echo: async (call) => ({
    names: [...(await rowsAfterLogin(call, isMembers)), credentialOf(call).loginPassword],
  }),
  /** Says in its error what it sent. */
  blamer: async (call) => {
    const names = await rowsAfterLogin(call, isMembers).catch((error: unknown) => {
      if (!(error instanceof InstitutionError)) throw error;
      const message = `${credentialOf(call).loginPassword}로 조회하지 못했습니다.`;
      throw new InstitutionError(error.code, { ...error.details, message });
    });
    return { names };
  },
  /** Takes a page that did not come in time for an empty one. */
  impatient: async (call) => {
    const portal = await logIn(call, isMembers);
    call.progress(2, 2, '명부를 읽고 있습니다');
    const page = await portal.get('/members').catch((error: unknown) => {
      const isLate =
        error instanceof InstitutionError && error.details.upstreamStatus === undefined;
      if (!isLate) throw error;
      return null;
    });
    return { names: page === null ? [] : isMembers(page).map((row) => cell(row, 0)) };
  },
  /** Returns numbers where its schema promises names. */
  misshapen: async (call) => ({ names: (await rowsAfterLogin(call, isMembers)).map(Number) }),
  /** Continues when it is told to stop. */
  deaf: async (call) => {
    const portal = await logIn(call, isMembers).catch(() => openPortal(call, face));
    const names = new Set<string>();
    for (let time = 0; time < 50; time += 1) {
      const rows = await portal.get('/members').then(isMembers, () => []);
      for (const [name] of rows) names.add(name?.text() ?? '');
    }
    return { names: [...names] };
  },
  /** Ends when it is told to stop, in a process that then takes long to exit. */
  lingering: async (call) => {
    const nothing = new Int32Array(new SharedArrayBuffer(4));
    const linger = () => process.once('exit', () => Atomics.wait(nothing, 0, 0, 2_500));
    call.signal.addEventListener('abort', linger, { once: true });
    return { names: await rowsAfterLogin(call, isMembers) };
  },
  /** Says a time that two runs in a row share, and does without its last page. */
  punctual: async (call) => {
    runs += 1;
    const hour = Math.floor(runs / 3);
    const portal = await logIn(call, isMembers);
    call.progress(2, 2, '명부를 읽고 있습니다');
    const names = isMembers(await portal.get('/members')).map((row) => cell(row, 0));
    await portal.get('/members').catch(() => null);
    return { names: [...names, `${hour}시`] };
  },
  /** Logs in without a word of the password that it sends. */
  silent: async (call) => {
    const portal = openPortal(call, face);
    call.progress(1, 1, '로그인하고 있습니다');
    const { loginId, loginPassword } = credentialOf(call);
    const form = readForm(await portal.get('/login'), '#login');
    await portal.submit(form, { user: loginId, pass: loginPassword });
    return { names: isMembers(await portal.get('/members')).map((row) => cell(row, 0)) };
  },
  /** Stores what it could read as its file, and has no other result. */
  hoarder: async (call) => {
    const portal = await logIn(call, isMembers);
    call.progress(2, 2, '명부를 읽고 있습니다');
    const text = await portal.get('/members').then(
      ({ html }) => html,
      () => '',
    );
    const bytes = Buffer.from(text);
    await call.artifacts.add({ bytes, contentType: 'text/html', extension: 'html' });
    return null;
  },
  careful: async (call) => ({ names: await rowsAfterLogin(call, isMembers) }),
};

/** Applies for a certificate, and says its number. */
type Applying = (call: Call, portal: Portal, form: PortalForm) => Promise<PortalPage>;

const IRREVERSIBLE: Readonly<Record<string, Applying>> = {
  /** Applies a second time to be sure. */
  twice: async (_, portal, form) => {
    await portal.commit(form, {});
    return portal.submit(form, {});
  },
  /** Applies without the point of no return. */
  pointless: (_, portal, form) => portal.submit(form, {}),
  /** Applies, and passes the point of no return afterwards. */
  hasty: async (call, portal, form) => {
    const page = await portal.submit(form, {});
    await call.pointOfNoReturn();
    return page;
  },
  /** Applies also where the point of no return is refused. */
  headstrong: async (call, portal, form) => {
    await call.pointOfNoReturn().catch(() => {});
    return portal.submit(form, {});
  },
  exact: (_, portal, form) => portal.commit(form, {}),
};

function issuing(apply: Applying): Connector {
  return async (call) => {
    const portal = await logIn(call, isMembers);
    call.progress(2, 2, '증명서를 신청하고 있습니다');
    const page = await apply(call, portal, readForm(await portal.get('/apply'), '#apply'));
    return { names: [textOf(required(page, '#number'))] };
  };
}

function actionOf(name: string, connector: Connector, irreversible: boolean) {
  return {
    id: `careless.${name}`,
    title: { ko: name, en: name },
    irreversible,
    params: { type: 'object', properties: {} },
    result: { type: 'object', properties: { names: { type: 'array', items: { type: 'string' } } } },
    connector,
  } as const;
}

export default defineInstitution({
  provider: 'careless',
  title: { ko: '시험', en: 'Careless' },
  linkTypes: ['id_password'],
  actions: [
    ...Object.entries(ACTIONS).map(([name, connector]) => actionOf(name, connector, false)),
    ...Object.entries(IRREVERSIBLE).map(([name, apply]) => actionOf(name, issuing(apply), true)),
  ],
});
