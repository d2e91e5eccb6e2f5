import { pageOf } from '../http/answer/page.ts';

export interface StartLinks {
  hasDemo: boolean;
}

/** For browsers at the root of the gateway. `base` is the path prefix of the request. */
export function startPage({ hasDemo }: StartLinks, base: string): string {
  const links = [
    ...(hasDemo ? [['/demo', 'Demo', 'a shop with the widget']] : []),
    ['/console', 'Console', 'conversations, figures, webhooks and access of a workspace'],
    ['/docs', 'API reference', 'every call, with samples'],
    ['/guides', 'Guides', 'bots, widget, client, webhooks, operations'],
    ['/openapi.json', 'OpenAPI', 'the description of the API for tools'],
    ['/readyz', 'Health', 'whether this gateway can serve'],
  ].map(([path, name, about]) => `<li><a href="${base}${path}">${name}</a>: ${about}</li>`);
  const body = `<p>Parley runs conversations between a company’s bots and its customers.</p>
<ul>
${links.join('\n')}
</ul>
<p>Did you want to open a conversation? Open the whole link in your message.</p>`;
  return pageOf({ base, title: 'Parley', body });
}
