import { entityTag } from '../conditional.ts';
import { type File, once, type Resource, sendFile } from '../resource.ts';
import type { Route } from '../route.ts';
import { parseExamples, readExamples } from './given-examples.ts';
import type { Limits } from './introduction.ts';

/**
 * The API's description at `/openapi.json`. Made when it is first asked for, so that it costs nothing before, and again when
 * the file with its examples has changed: a local run writes that when all else is ready.
 */
export function openApiResource(routes: Route[], limits: Limits, examplesPath: string | undefined): Resource {
  let madeOf: string | undefined;
  let make: () => Promise<File>;
  return {
    path: '/openapi.json',
    show: async (current) => {
      const examples = await readExamples(examplesPath);
      if (examples !== madeOf) {
        madeOf = examples;
        make = once(() => describe(routes, limits, examples));
      }
      sendFile(current, await make());
    },
  };
}

async function describe(routes: Route[], limits: Limits, examples: string): Promise<File> {
  const { describeApi } = await import('./document.ts');
  const content = JSON.stringify(describeApi(routes, limits, parseExamples(examples)));
  return { type: 'application/json; charset=utf-8', content, tag: entityTag(content) };
}
