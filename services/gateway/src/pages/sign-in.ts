import { join } from 'node:path';
import { idOfToken, tokenCharacters } from '@parley/contracts/person-token';
import { withClientAddress } from '@parley/rpc/grants';
import { AppError, errorCodes, invalidRequest, toAppError } from '@parley/runtime/errors';
import { faultMessage } from '@parley/runtime/zod-faults';
import { z } from 'zod';
import { type Admission, failuresOf } from '../auth/admission.ts';
import { requireSameSite } from '../auth/same-site.ts';
import { publicBodyLimits, readBody } from '../http/request/body.ts';
import { addressGroupOf, clientAddressOf } from '../http/request/client-address.ts';
import { success } from '../http/answer/envelope.ts';
import { parseJson } from '../http/request/json.ts';
import { pageFields, pageOf, referenceLine } from '../http/answer/page.ts';
import { cleanCode } from '../http/answer/page-path.ts';
import {
  type Call,
  callOf,
  logServerFault,
  type RequestContext,
  retryFieldsOf,
  send,
  sendJson,
} from '../http/answer/request-context.ts';
import { fileResource, type Resource } from '../http/answer/resource.ts';
import type { ConsoleCookies } from '../http/request/session-cookie.ts';
import { consumeOrThrow } from '../limits/rate-limit.ts';
import type { Peers } from '../peers.ts';
import { faultsOf } from '../values/faults.ts';
import { escaped } from '@parley/runtime/html';

export interface SignIn extends Pick<Admission, 'rateLimits' | 'runSuspect'> {
  identity: Peers['identity'];
  cookies: ConsoleCookies;
  /** Without a trailing slash. */
  publicUrl: string;
}

const signInPath = '/console/sign-in';
const linkPath = `${signInPath}/link`;
const callbackPath = `${signInPath}/callback`;
const scriptName = 'sign-in.js';
const scriptPath = `${signInPath}/${scriptName}`;

const script = "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
const fields = {
  ...pageFields,
  'Content-Security-Policy': `${pageFields['Content-Security-Policy']}; ${script}`,
};

/** The post of a page of a link: its code, as it is in the address. */
export const linkBody = z.strictObject({ code: z.string().max(1_000).transform(cleanCode) });
const callbackBody = z.strictObject({ query: z.string().max(8_192) });

/** Returns the call of a sign-in. It has no grant, but the address of the person for the audit log. */
export function signInCall(context: RequestContext, timeoutMs?: number): Call {
  const grant = withClientAddress('', clientAddressOf(context.request.ip));
  return callOf({ ...context, grant }, timeoutMs);
}

/**
 * Returns the pages on which people sign in. `/console/sign-in` leads to the provider. The others have a script that
 * posts the code in their address: no GET uses up a code or begins a session.
 */
export function signInResources(deps: SignIn): Resource[] {
  return [
    { path: signInPath, isPage: true, callsServices: true, show: (context) => showBeginning(deps, context) },
    {
      path: linkPath,
      callsServices: true,
      show: async (context) => sendScriptPage(context, sessionOf(deps, context) !== undefined),
      post: async (context) => {
        const { code } = await readPost(deps, context, linkBody);
        requireComplete(code);
        return () => openLink(deps, context, code);
      },
    },
    {
      path: callbackPath,
      callsServices: true,
      show: async (context) => sendScriptPage(context),
      post: async (context) => {
        const { query } = await readPost(deps, context, callbackBody);
        return () => complete(deps, context, query);
      },
    },
    fileResource(scriptPath, join(import.meta.dirname, scriptName), 'text/javascript; charset=utf-8'),
  ];
}

/** The provider answers several requests meanwhile. */
const signInTimeoutMs = 15_000;

async function showBeginning(deps: SignIn, context: RequestContext): Promise<void> {
  const { request } = context;
  try {
    const { url, cookie } = await begin(deps, context, '');
    send(context, 303, '', { Location: url, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' });
  } catch (error) {
    const known = toAppError(error);
    if (known.type === 'no-provider') return sendPage(context, 200, 'Sign in', linkHelp);
    logServerFault(context, known);
    context.errorType = known.type;
    const body = `<p>${escaped(known.message)}.</p>
<p><a href="${request.baseUrl}${signInPath}">Try again</a></p>
${referenceLine(context.requestId)}`;
    sendPage(
      context,
      errorCodes[known.code].http,
      'Sign-in is not available now',
      body,
      retryFieldsOf(known),
    );
  }
}

const linkHelp = `<p>You sign in with a link. Ask the people who run Parley for one: they make it with</p>
<p><code>parley console link --workspace ID</code></p>
<p>A member of your workspace can also invite you.</p>`;

async function begin(
  { identity, cookies, publicUrl, rateLimits }: SignIn,
  context: RequestContext,
  invitationCode: string,
): Promise<{ url: string; cookie: string }> {
  consumeOrThrow(context.fields, rateLimits.signIns, addressGroupOf(context.request.ip));
  const { rpc } = signInCall(context, signInTimeoutMs);
  const redirectUri = `${publicUrl}${callbackPath}`;
  const { url, attempt } = await identity.beginSignIn({ redirectUri, invitationCode }, rpc());
  return { url, cookie: cookies.signIn.set(attempt) };
}

async function complete(deps: SignIn, context: RequestContext, query: string): Promise<void> {
  const before = sessionOf(deps, context);
  const attempt = deps.cookies.signIn.read(context.request.headers.cookie) ?? '';
  const { identity, cookies } = deps;
  const { rpc } = signInCall(context, signInTimeoutMs);
  const { token, joinedWorkspaceIds } = await checked(deps, context, () =>
    identity.completeSignIn({ attempt, query }, rpc()),
  );
  const ofBrowser = [cookies.session.set(token), cookies.signIn.clear()];
  await sendSignedIn(deps, context, { before, ofBrowser, joined: joinedWorkspaceIds });
}

async function openLink(deps: SignIn, context: RequestContext, code: string): Promise<void> {
  const before = sessionOf(deps, context);
  const { identity, cookies } = deps;
  const { rpc } = signInCall(context);
  const { session } = await checked(deps, context, () => identity.openSignInLink({ code }, rpc()));
  if (session) {
    const ofBrowser = [cookies.session.set(session.token)];
    return sendSignedIn(deps, context, { before, ofBrowser, joined: [] });
  }
  const { url, cookie } = await begin(deps, context, code);
  sendLocation(context, url, [cookie]);
}

/** Throws 401 if the end of a code is missing. */
export function requireComplete(code: string): void {
  if (code.length === tokenCharacters) return;
  const detail = 'This link is incomplete. Open it from the message again, or copy all of it';
  throw new AppError('unauthenticated', 'incomplete-link', detail);
}

/** Runs a check of a code. Refused codes count as failed authentications of the address: 429 beyond the limit. */
export async function checked<Result>(
  deps: Pick<SignIn, 'rateLimits' | 'runSuspect'>,
  context: RequestContext,
  check: () => Promise<Result>,
): Promise<Result> {
  const failures = failuresOf(context, deps);
  try {
    return await failures.check(check);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') failures.count();
    throw error;
  }
}

/** Returns the body of a post by a page of this site. Throws 403 for other pages. */
export async function readPost<Schema extends z.ZodType>(
  { cookies }: Pick<SignIn, 'cookies'>,
  context: RequestContext,
  schema: Schema,
): Promise<z.output<Schema>> {
  requireSameSite(context.request, cookies.scheme);
  const bytes = await readBody(context.request, publicBodyLimits);
  const body = bytes && parseJson(bytes, publicBodyLimits.valuesMax);
  const parsed = schema.safeParse(body, { error: faultMessage });
  if (!parsed.success) throw invalidRequest(faultsOf('body', parsed.error));
  return parsed.data;
}

/** Ends the session that the browser had: nobody could sign out of it any more. Then sends the new session. */
async function sendSignedIn(
  deps: SignIn,
  context: RequestContext,
  { before, ofBrowser, joined }: { before: string | undefined; ofBrowser: string[]; joined: string[] },
): Promise<void> {
  if (before !== undefined && idOfToken('session', before) !== undefined) {
    const { rpc } = signInCall(context, endTimeoutMs);
    await deps.identity.endSession({ token: before }, rpc()).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
    });
  }
  sendLocation(context, `${context.request.baseUrl}/console`, ofBrowser, joined);
}

/** The usual limit, and the three seconds that a sign-out waits for a gateway that cannot be notified. */
const endTimeoutMs = 8_000;

/** `joined` has the workspaces that the person has joined at the provider's sign-in: the console names them. */
function sendLocation(
  context: RequestContext,
  location: string,
  cookies: string[],
  joined: string[] = [],
): void {
  context.response.setHeader('Set-Cookie', cookies);
  sendJson(context, 200, JSON.stringify(success({ location, joined })));
}

/** Returns the token of the session of the browser, which may have ended. 401 if there are two, before any effect. */
function sessionOf({ cookies }: SignIn, { request }: RequestContext): string | undefined {
  return cookies.session.read(request.headers.cookie);
}

/** With a session, the script asks whose it is. */
function sendScriptPage(context: RequestContext, asks = false): void {
  const noscript = '<noscript><p>Signing in needs JavaScript, which is switched off here.</p></noscript>';
  const mark = asks ? '<template id="has-session"></template>' : '';
  sendPage(context, 200, 'Signing in', noscript + mark, {}, scriptPath);
}

function sendPage(
  context: RequestContext,
  status: number,
  title: string,
  body: string,
  more: Record<string, string> = {},
  scriptOfPage?: string,
): void {
  const html = pageOf({ base: context.request.baseUrl, title, body, script: scriptOfPage });
  send(context, status, html, { ...fields, ...more });
}
