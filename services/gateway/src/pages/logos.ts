import type { Peers } from '../peers.ts';
import { callOf } from '../http/answer/request-context.ts';
import { logoPath } from '../api/workspaces/present-branding.ts';
import { type Resource, sendFile, unknownRoute } from '../http/answer/resource.ts';
import { id } from '../values/text.ts';

const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

const fields = {
  // The name changes with the logo.
  'Cache-Control': 'public, max-age=31536000, immutable',
  // The widget loads it on any page, also on an isolated one (COEP).
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** Returns the logos of workspaces. 404 after the workspace has changed its logo. */
export function logoResource(identity: Pick<Peers['identity'], 'getLogo'>): Resource {
  return {
    path: logoPath(':workspaceId', ':name'),
    callsServices: true,
    show: async (context) => {
      const { data: workspaceId } = id.safeParse(context.request.params['workspaceId']);
      const name = String(context.request.params['name']);
      const type = types[/^[0-9a-f]{32}\.(png|jpg|webp)$/.exec(name)?.[1] ?? ''];
      if (workspaceId === undefined || type === undefined) throw unknownRoute();
      const { content } = await identity.getLogo({ workspaceId, name }, callOf(context).rpc());
      sendFile(context, { type, content, tag: `"${name}"` }, fields);
    },
  };
}
