import { success } from '../http/answer/envelope.ts';
import { type RequestContext, sendJson } from '../http/answer/request-context.ts';
import type { Answering, Resource } from '../http/answer/resource.ts';
import { logoPath, toBranding } from '../api/workspaces/present-branding.ts';
import { id } from '../values/text.ts';
import { consolePath, type SendConsolePage } from './console.ts';
import type { FramesOf } from './frames.ts';
import type { PageBranding } from './page-branding.ts';
import { checked, linkBody, readPost, requireComplete, type SignIn, signInCall } from './sign-in.ts';

interface Portal extends SignIn {
  framesOf: FramesOf;
  brandingOf: PageBranding;
  sendPage: SendConsolePage;
}

const portalPath = `${consolePath}/portal/:workspaceId`;

/**
 * Returns the pages of the portal: the console's, with the branding of the workspace. Pages of its allowed domains may
 * show them in a frame. A page posts the code in its address once and gets the cookie of the session. They come before
 * the other pages of the console.
 */
export function portalResources(deps: Portal): Resource[] {
  const show = (context: RequestContext): Promise<void> => showPage(deps, context);
  return [
    { path: portalPath, callsServices: true, show, post: (context) => postLink(deps, context) },
    { path: `${portalPath}/*path`, callsServices: true, show },
  ];
}

async function showPage(deps: Portal, context: RequestContext): Promise<void> {
  const { data: workspaceId } = id.safeParse(context.request.params['workspaceId']);
  // First, because it counts calls about workspaces that do not exist.
  const framedBy = workspaceId === undefined ? [] : await deps.framesOf(workspaceId, context);
  const branding = workspaceId === undefined ? undefined : await brandOf(deps, workspaceId, context);
  const metas = {
    'parley-portal': workspaceId ?? '',
    'parley-branding': branding && JSON.stringify(branding),
  };
  deps.sendPage(context, { title: branding?.displayName ?? 'Webhooks', metas, framedBy });
}

interface PortalBranding {
  displayName: string | null;
  /** On this host, which is the only one that the policy allows. */
  logo: string | null;
  accentColor: string | null;
}

async function brandOf(
  { brandingOf }: Portal,
  workspaceId: string,
  context: RequestContext,
): Promise<PortalBranding | undefined> {
  const row = await brandingOf(workspaceId, context);
  if (!row) return undefined;
  const { displayName, accentColor } = toBranding(workspaceId, row, '');
  const { baseUrl } = context.request;
  const logo = row.logoName ? baseUrl + logoPath(workspaceId, row.logoName) : null;
  return { displayName, logo, accentColor };
}

async function postLink(deps: Portal, context: RequestContext): Promise<Answering> {
  const { code } = await readPost(deps, context, linkBody);
  requireComplete(code);
  return () => openLink(deps, context, code);
}

async function openLink(deps: Portal, context: RequestContext, code: string): Promise<void> {
  const { identity, cookies } = deps;
  const workspaceId = String(context.request.params['workspaceId']);
  const { rpc } = signInCall(context);
  const { token } = await checked(deps, context, () => identity.openPortalLink({ workspaceId, code }, rpc()));
  context.response.setHeader('Set-Cookie', cookies.portalSession.set(token));
  sendJson(context, 200, JSON.stringify(success(null)));
}
