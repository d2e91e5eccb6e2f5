import { beforeEach, expect, test, vi } from 'vitest';

const id = '0197b2a0-1111-7222-8333-444455556666';
const code = `prl_plk_${id.replaceAll('-', '')}_secret`;
/** The address of the page, and how often its code was sent. */
let address: { hash: string; sent: number };
/** What the server answers: to the code, and whose session the browser has. */
let answers: { open: number | Error; session: string | number | Error };

const answerOf = (status: number, data: unknown = null): Response =>
  Response.json(
    { success: status === 200, code: status, type: 'invalid-link', detail: 'No', data, meta: null },
    { status },
  );
const fetchOf = async (_: string | URL, { method }: RequestInit = {}): Promise<Response> => {
  const isOpening = method === 'POST';
  if (isOpening) address.sent += 1;
  const answer = isOpening ? answers.open : answers.session;
  if (answer instanceof Error) throw answer;
  if (typeof answer === 'number') return answerOf(answer);
  return answerOf(200, { id: answer, type: 'portal', workspaces: [] });
};

/** Opens a page of the portal with a code in its address. Returns what opens its link. */
async function openPage(hash = `#${code}`): Promise<() => Promise<void>> {
  address = { hash, sent: 0 };
  const location = {
    origin: 'https://parley.example',
    pathname: '/console/portal/w',
    search: '',
    get hash() {
      return address.hash;
    },
  };
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { state: null, replaceState: () => (address.hash = '') });
  vi.stubGlobal('fetch', fetchOf);
  vi.resetModules();
  const { openPortalLink } = await import('./open-link.ts');
  return openPortalLink;
}

beforeEach(() => {
  answers = { open: 200, session: 401 };
  return () => {
    vi.unstubAllGlobals();
    vi.resetModules();
  };
});

const invalid = { status: 401, type: 'invalid-link' };

test('a code is sent once, and then is not in the address any more', async () => {
  const open = await openPage();
  await Promise.all([open(), open()]);
  expect(address).toEqual({ hash: '', sent: 1 });
});

test('a page without a code goes on with the session that the browser has', async () => {
  const open = await openPage('');
  await open();
  expect(address.sent).toBe(0);
});

test('a used code is fine if the browser has its session, and not with that of another link', async () => {
  answers = { open: 401, session: id };
  await (await openPage())();
  expect(address.hash).toBe('');
  answers = { open: 401, session: '0197b2a0-9999-7222-8333-444455556666' };
  await expect((await openPage())()).rejects.toMatchObject(invalid);
  answers = { open: 401, session: 401 };
  const open = await openPage();
  await expect(open()).rejects.toMatchObject(invalid);
  expect(address.hash).toBe('');
  // It is over: a retry sends nothing.
  await expect(open()).rejects.toMatchObject(invalid);
  expect(address.sent).toBe(1);
});

test.each([
  ['is not reached', new TypeError('no network'), 401],
  ['fails', 503, 401],
  ['limits the rate', 429, 401],
  ['does not say whose session the browser has', 401, new TypeError('no network')],
] as const)('the code stays in the address for another try if the server %s', async (_, opened, session) => {
  answers = { open: opened, session };
  const open = await openPage();
  await expect(open()).rejects.not.toMatchObject(invalid);
  expect(address.hash).toBe(`#${code}`);
  answers = { open: 200, session: 401 };
  await open();
  expect(address).toEqual({ hash: '', sent: 2 });
});
