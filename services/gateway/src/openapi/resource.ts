import { entityTag } from '../http/request/conditional.ts';
import { type Resource, sendFile } from '../http/answer/resource.ts';
import type { Route } from '../http/server/route.ts';
import { cachedByExamples, withoutKey } from './given-examples.ts';
import type { Limits } from './introduction.ts';

/** With the examples of the file, but without a key. */
export function openApiResource(routes: Route[], limits: Limits, examplesPath: string | undefined): Resource {
  const read = cachedByExamples(examplesPath, async (examples) => {
    const { describeApi } = await import('./document.ts');
    const content = JSON.stringify(describeApi(routes, limits, withoutKey(examples)));
    return { type: 'application/json; charset=utf-8', content, tag: entityTag(content) };
  });
  return { path: '/openapi.json', show: async (context) => sendFile(context, await read()) };
}
