import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { entityTag } from '../conditional.ts';
import { once, type Resource, sendFile } from '../resource.ts';

// Nothing from another host, nothing inline. Swagger UI has its icons in `data:` URLs.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageFields = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body>
<main id="docs"></main>
<noscript>The description that this page shows is at <a href="openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;

// Credentials are those that the reader enters; they are kept by the page only, and the browser asks for none itself.
const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
});
`;

const texts = [
  { path: '/docs', type: 'text/html; charset=utf-8', content: page },
  { path: '/docs/start.js', type: 'text/javascript; charset=utf-8', content: start },
];

const assets = [
  {
    path: '/docs/swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
    url: import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  },
  {
    path: '/docs/swagger-ui.css',
    type: 'text/css; charset=utf-8',
    url: import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  },
  {
    path: '/docs/favicon-32x32.png',
    type: 'image/png',
    url: import.meta.resolve('swagger-ui-dist/favicon-32x32.png'),
  },
];

/**
 * The docs page at `/docs`, which shows `/openapi.json` and runs its examples against the gateway that it comes from. It
 * needs no other host: Swagger UI is served from its package, whose files are read when they are first asked for, and shared
 * by all answers from then on.
 */
export function docsResources(): Resource[] {
  return [
    ...texts.map(({ path, type, content }): Resource => {
      const file = { type, content, tag: entityTag(content) };
      return { path, show: async (current) => sendFile(current, file, pageFields) };
    }),
    ...assets.map(({ path, type, url }): Resource => {
      const readOnce = once(async () => {
        const content = await readFile(fileURLToPath(url));
        return { type, content, tag: entityTag(content) };
      });
      return { path, show: async (current) => sendFile(current, await readOnce(), pageFields) };
    }),
  ];
}
