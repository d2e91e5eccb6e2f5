import { entityTag } from '../conditional.ts';
import { type File, once, type Resource, sendFile } from '../resource.ts';
import type { Route } from '../route.ts';
import type { Limits } from './introduction.ts';

/** The API's description at `/openapi.json`. Made when it is first asked for, so that it costs nothing before. */
export function openApiResource(routes: Route[], limits: Limits): Resource {
  const makeOnce = once(() => make(routes, limits));
  return { path: '/openapi.json', show: async (current) => sendFile(current, await makeOnce()) };
}

async function make(routes: Route[], limits: Limits): Promise<File> {
  const { describeApi } = await import('./document.ts');
  const content = JSON.stringify(describeApi(routes, limits));
  return { type: 'application/json; charset=utf-8', content, tag: entityTag(undefined, content) };
}
