import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { inject } from 'vitest';
import type { Interaction } from '../../insight/nps-workspace.ts';
import { npsBot } from '../../conversations/sample-bots.ts';

export interface Visit {
  url: string;
  /** The customer of the backend's tokens from now on; undefined: nobody is logged in. */
  logIn(customerId: string | undefined): void;
}

export interface VisitOptions {
  /** A file below `pages`. */
  page?: 'plain.html' | 'strict.html' | 'hostile.html' | 'old-libraries.html' | 'own-script.html';
  customerId: string | undefined;
  /** Attributes of the script tag, without `data-`. */
  attributes?: Record<string, string>;
  /** The page's Content Security Policy; default: the policy of the file. */
  policy?: string;
}

/** A company's web site on its own origin, with a workspace that allows it and the bot that asks for a score. */
export interface Shop extends AsyncDisposable {
  workspace: TestWorkspace;
  botId: string;
  visit(options: VisitOptions): Visit;
  /** Creates an interaction that waits; default: Pending, with the bot that asks for a score. */
  create(customerId: string, body?: object): Promise<Interaction>;
  read(interactionId: string): Promise<Interaction>;
  patch(interactionId: string, body: object): Promise<void>;
}

const pages = join(import.meta.dirname, '../pages');
const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** The policy of a careful site: its own files, and script and calls of Parley's origin. */
const strictPolicy = (baseUrl: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${baseUrl}`,
    `connect-src 'self' ${baseUrl}`,
    "style-src 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Opens a site whose backend fetches customer tokens with its API key. */
export async function openShop(): Promise<Shop> {
  const { baseUrl } = inject('local');
  const visits = new Map<string, Required<VisitOptions>>();
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const workspace = await createWorkspace(baseUrl, inject('operator'), { allowedDomains: [origin] });

  async function answer(path: string, response: ServerResponse): Promise<void> {
    const [, id = '', what = ''] = /^\/visits\/(\d+)\/(page|token)$/.exec(path) ?? [];
    const visit = visits.get(id);
    if (visit === undefined) return sendFile(path.slice(1), response);
    if (what === 'token') return sendToken(visit.customerId, response);
    const attributes = { workspace: workspace.id, 'token-url': `/visits/${id}/token`, ...visit.attributes };
    const html = (await readFile(join(pages, visit.page), 'utf8'))
      .replace('{{loader}}', `${baseUrl}/sdk/v1/loader.js`)
      .replace('{{attributes}}', () =>
        Object.entries(attributes)
          .map(([name, value]) => `data-${name}="${value}"`)
          .join(' '),
      );
    const policy = visit.page === 'strict.html' ? strictPolicy(baseUrl) : visit.policy;
    if (policy) response.setHeader('content-security-policy', policy);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  }

  async function sendToken(customerId: string | undefined, response: ServerResponse): Promise<void> {
    if (customerId === undefined) return void response.writeHead(204).end();
    const made = await workspace.api.post<{ customerToken: string }>(
      `/customers/${encodeURIComponent(customerId)}/token`,
    );
    const { customerToken } = made.body.data;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ customerToken }));
  }

  const botId = await workspace.publish(npsBot);
  return {
    workspace,
    botId,
    visit: ({ page = 'plain.html', customerId, attributes = {}, policy = '' }) => {
      const visit = { page, customerId, attributes, policy };
      const id = String(visits.size + 1);
      visits.set(id, visit);
      return {
        url: `${origin}/visits/${id}/page`,
        logIn: (other) => {
          visit.customerId = other;
        },
      };
    },
    create: async (customerId, body = {}) => {
      const wanted = { customerId, botId, status: 'Pending', ...body };
      return (await workspace.api.post<Interaction>('/interactions', wanted)).body.data;
    },
    read: async (id) => (await workspace.api.get<Interaction>(`/interactions/${id}`)).body.data,
    patch: async (id, body) => {
      const { status, body: answered } = await workspace.api.patch(`/interactions/${id}`, body);
      if (status !== 200) throw new Error(`the change was rejected: ${answered.detail}`);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

async function sendFile(name: string, response: ServerResponse): Promise<void> {
  const [, extension = ''] = /^[\w-]+\.(css|js)$/.exec(name) ?? [];
  if (extension === '') return void response.writeHead(name === 'favicon.ico' ? 204 : 404).end();
  response
    .writeHead(200, { 'content-type': `${types[extension]}; charset=utf-8` })
    .end(await readFile(join(pages, name)));
}
