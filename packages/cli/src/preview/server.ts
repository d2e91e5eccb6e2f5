import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../failure.ts';
import { readBody } from './body.ts';
import { answerPublicCall, isPublicCall } from './public-api.ts';
import type { Workbench } from './workbench.ts';

// Nothing from another host, nothing inline.
const policy = (...more: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...more,
  ].join('; ');

const safeFields = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const landingPath = '/landing.js';

const assets: Record<string, { file: string; type: string }> = {
  '/': { file: import.meta.resolve('./page.html'), type: 'text/html; charset=utf-8' },
  '/page.css': { file: import.meta.resolve('./page.css'), type: 'text/css; charset=utf-8' },
  '/page.mjs': { file: import.meta.resolve('./page.mjs'), type: 'text/javascript; charset=utf-8' },
};

/** Serves the workbench's page on this machine only. Disposing of it ends every connection. */
export async function servePreview(
  workbench: Workbench,
  landing: Buffer,
  port: number,
): Promise<AsyncDisposable & { url: string }> {
  let hosts: string[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(safeFields)) response.setHeader(name, value);
    const { method, headers } = request;
    const host = headers.host ?? '';
    // A name that another site has made lead here (DNS rebinding), or a form of its page, gets nothing.
    const isForeign = headers.origin !== undefined && headers.origin !== `http://${host}`;
    if (!hosts.includes(host) || isForeign)
      return refuse(response, 403, 'Only for pages of the preview itself');
    const base = `http://${host}`;
    if (!URL.canParse(request.url ?? '', base)) return refuse(response, 400, 'The path cannot be read');
    const url = new URL(request.url ?? '', base);
    const path = url.pathname;
    if (isPublicCall(path)) return answerPublicCall(workbench.talk(), url, request, response);
    if (path === '/restart' && method === 'POST') {
      workbench.restart();
      return void response.writeHead(204).end();
    }
    if (path === '/model' && method === 'POST') {
      const { line } = await readBody(request);
      const refusal = workbench.answerModel(typeof line === 'string' ? line : '');
      return refusal === undefined ? void response.writeHead(204).end() : refuse(response, 422, refusal);
    }
    if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'There is nothing to do here');
    if (path === '/events') return streamOverviews(workbench, response);
    if (path === landingPath) return give(response, 'text/javascript; charset=utf-8', landing);
    if (path.startsWith('/interactions/')) {
      response.setHeader('Content-Security-Policy', policy("frame-ancestors 'self'"));
      return give(response, 'text/html; charset=utf-8', landingPage);
    }
    const asset = Object.hasOwn(assets, path) ? assets[path] : undefined;
    if (!asset) return refuse(response, 404, 'There is no such page');
    response.setHeader('Content-Security-Policy', policy("frame-src 'self'", "frame-ancestors 'none'"));
    give(response, asset.type, await readFile(new URL(asset.file)));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`parley: ${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`the preview cannot listen: ${reason}`, { type: 'no-port', cause: error });
  }
  const address = server.address() as AddressInfo;
  hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${address.port}`);
  return {
    url: `http://127.0.0.1:${address.port}/`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The talk as it stands, and again after every change (server-sent events). */
function streamOverviews(workbench: Workbench, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  const send = (): void => void response.write(`data: ${JSON.stringify(workbench.overview())}\n\n`);
  response.once('close', workbench.onChange(send));
  send();
}

/** The page that the gateway serves for a link, but for its looks in the browser's window. */
const landingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview</title>
<script type="module" src="${landingPath}"></script>
</head>
<body></body>
</html>
`;

function give(response: ServerResponse, type: string, content: string | Buffer): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) });
  response.end(content);
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${why}\n`);
}
