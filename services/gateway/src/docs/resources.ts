import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GivenExamples, cachedByExamples, withoutKey } from '../openapi/given-examples.ts';
import type { Limits } from '../openapi/introduction.ts';
import { entityTag } from '../http/request/conditional.ts';
import type { RequestContext } from '../http/answer/request-context.ts';
import {
  createEncodingSelector,
  fileResource,
  once,
  type Resource,
  sendFile,
  unknownRoute,
} from '../http/answer/resource.ts';
import type { Route } from '../http/server/route.ts';
import type { Description } from './description.ts';
import { type Guide, guideFolders, guidePage, guidesPage, readGuideImage, readGuides } from './guides.ts';
import { quickStart } from './quick-start.ts';

// No other hosts, no inline code, no calls.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const pageFields = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Encoding, Host',
};

const assets = [
  { name: 'reference.css', type: 'text/css; charset=utf-8' },
  { name: 'reference.js', type: 'text/javascript; charset=utf-8' },
];

// Reads the file: making the schema would load the format of bots, which the gateway does not use.
const botSchema = new URL('../../../../packages/bot/bot-v1.schema.json', import.meta.url);

// With DNS rebinding, a page of another site must not read the key of a local run.
const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Returns the API reference at `/docs`, made from the OpenAPI document, which is at `/openapi.json`, the guides and the
 * JSON Schema of bots. The reference works without scripts and other hosts. In a local run that is opened by a loopback
 * name, its samples have the address, key and ids of that run.
 */
export function docsResources(routes: Route[], limits: Limits, examplesPath: string | undefined): Resource[] {
  const guides = once(readGuides);
  const describe = async (examples: GivenExamples) => {
    const { describeApi } = await import('../openapi/document.ts');
    return describeApi(routes, limits, examples);
  };
  const describeOpen = cachedByExamples(examplesPath, (examples) => describe(withoutKey(examples)));
  const makePage = async (described: object, examples: GivenExamples) => {
    const { referencePage } = await import('./page.ts');
    // The page knows more of the document than its inferred type, in which literals such as `in` are any string.
    const page = await referencePage(described as Description, quickStart(examples), await guides());
    return createEncodingSelector({ type: 'text/html; charset=utf-8', content: Buffer.from(page) });
  };
  const readOpen = cachedByExamples(examplesPath, async (examples) =>
    makePage(await describeOpen(), withoutKey(examples)),
  );
  const readOwn =
    examplesPath === undefined
      ? readOpen
      : cachedByExamples(examplesPath, async (examples) => makePage(await describe(examples), examples));
  return [
    openApiResource(examplesPath, describeOpen),
    botSchemaResource(),
    ...guideResources(guides),
    {
      path: '/docs',
      isPage: true,
      show: async (context) => {
        const { request } = context;
        const pick = await (loopback.test(request.headers.host ?? '') ? readOwn() : readOpen());
        sendFile(context, await pick(request), pageFields);
      },
    },
    ...assets.map(({ name, type }): Resource => {
      const read = once(async () =>
        createEncodingSelector({ type, content: await readFile(join(import.meta.dirname, name)) }),
      );
      return {
        path: `/docs/${name}`,
        show: async (context) => sendFile(context, await (await read())(context.request), pageFields),
      };
    }),
  ];
}

/** `describe` returns the document with the examples of the file, but without a key. */
function openApiResource(examplesPath: string | undefined, describe: () => Promise<object>): Resource {
  const read = cachedByExamples(examplesPath, async () => {
    const content = JSON.stringify(await describe());
    return { type: 'application/json; charset=utf-8', content, tag: entityTag(content) };
  });
  return { path: '/openapi.json', show: async (context) => sendFile(context, await read()) };
}

/** Returns the JSON Schema of bot definitions. Editors, also in browsers, load it by the `$schema` of a bot. */
function botSchemaResource(): Resource {
  return fileResource('/schemas/bot-v1.json', botSchema, 'application/json; charset=utf-8', {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag',
  });
}

/** Returns the guides at `/guides`: the Markdown files of the repository as pages. */
function guideResources(read: () => Promise<Guide[]>): Resource[] {
  const sendPage = (context: RequestContext, html: string): void => {
    const type = 'text/html; charset=utf-8';
    sendFile(context, { type, content: html, tag: entityTag(html) }, pageFields);
  };
  const showGuide = async (context: RequestContext, name: string): Promise<void> => {
    const guides = await read();
    const guide = guides.find((one) => one.name === name.replace(/\.md$/, ''));
    if (!guide) throw unknownRoute();
    sendPage(context, guidePage(guide, guides, context.request.baseUrl));
  };
  const nameIn = ({ request }: RequestContext): string => String(request.params['name']);
  return [
    {
      path: '/guides',
      isPage: true,
      show: async (context) => sendPage(context, guidesPage(await read(), context.request.baseUrl)),
    },
    { path: '/guides/:name', isPage: true, show: (context) => showGuide(context, nameIn(context)) },
    ...Object.keys(guideFolders).map(
      (folder): Resource => ({
        path: `/guides/${folder}/:name`,
        isPage: true,
        show: (context) => showGuide(context, `${folder}/${nameIn(context)}`),
      }),
    ),
    {
      path: '/guides/images/:name',
      show: async (context) => {
        const content = await readGuideImage(nameIn(context));
        if (!content) throw unknownRoute();
        sendFile(context, { type: 'image/png', content, tag: entityTag(content) }, pageFields);
      },
    },
  ];
}
