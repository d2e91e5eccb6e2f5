import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../failure.ts';
import type { LandingScripts } from './landing-script.ts';
import { answerPublicCall, isPublicCall, readBody } from './public-api.ts';
import type { Workbench } from './workbench.ts';

// No requests to other hosts, and no inline code.
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
/** As the script of the landing page names it. */
const fieldsPath = /^\/chunks\/fields-\w+\.js$/;

const assets = new Map([
  ['/', { file: import.meta.resolve('./page.html'), type: 'text/html; charset=utf-8' }],
  ['/page.css', { file: import.meta.resolve('./page.css'), type: 'text/css; charset=utf-8' }],
  ['/page.mjs', { file: import.meta.resolve('./page.mjs'), type: 'text/javascript; charset=utf-8' }],
]);

/** Serves the preview on this machine only. Its disposal closes every connection. */
export async function servePreview(
  workbench: Workbench,
  scripts: LandingScripts,
  port: number,
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    answer(workbench, scripts, request, response).catch((error: unknown) => {
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
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actualPort}/`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  workbench: Workbench,
  scripts: LandingScripts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(safeFields)) response.setHeader(name, value);
  const { method, headers, socket } = request;
  const { host = '', origin } = headers;
  const isLocal = ['127.0.0.1', 'localhost'].some((name) => host === `${name}:${socket.localPort}`);
  // Rejects DNS rebinding and forms of other sites.
  if (!isLocal || (origin !== undefined && origin !== `http://${host}`))
    return reject(response, 403, 'Only pages of the preview may call it');
  const url = URL.parse(request.url ?? '', `http://${host}`);
  if (!url) return reject(response, 400, 'The path is malformed');
  const path = url.pathname;
  if (isPublicCall(path)) return answerPublicCall(workbench.conversation, url, request, response);
  if (method === 'POST') return answerPost(workbench, path, request, response);
  if (method !== 'GET' && method !== 'HEAD') return reject(response, 405, 'The method is not allowed');
  if (path === '/events') return streamOverviews(workbench, response);
  const script = path === landingPath ? 'landing.js' : fieldsPath.test(path) ? 'fields.js' : undefined;
  if (script) return send(response, 'text/javascript; charset=utf-8', scripts[script]);
  if (path.startsWith('/interactions/')) {
    response.setHeader('Content-Security-Policy', policy("frame-ancestors 'self'"));
    return send(response, 'text/html; charset=utf-8', landingPage);
  }
  const asset = assets.get(path);
  if (!asset) return reject(response, 404, 'There is no such page');
  response.setHeader('Content-Security-Policy', policy("frame-src 'self'", "frame-ancestors 'none'"));
  send(response, asset.type, await readFile(new URL(asset.file)));
}

/** Answers the buttons of the page. */
async function answerPost(
  workbench: Workbench,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path !== '/restart' && path !== '/model') return reject(response, 404, 'There is no such page');
  if (path === '/restart') workbench.restart();
  else {
    const { line } = await readBody(request);
    const refusal = workbench.answerModel(typeof line === 'string' ? line : '');
    if (refusal !== undefined) return reject(response, 422, refusal);
  }
  response.writeHead(204).end();
}

/** Sends the overview now and after every change, as server-sent events. */
function streamOverviews(workbench: Workbench, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  const send = (): void => void response.write(`data: ${JSON.stringify(workbench.overview())}\n\n`);
  workbench.on('change', send);
  response.once('close', () => workbench.off('change', send));
  send();
}

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

function send(response: ServerResponse, type: string, content: string | Buffer): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) });
  response.end(content);
}

function reject(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${reason}\n`);
}
