import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundlePackage } from '@parley/browser-files/bundle-package';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { build, type Plugin, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Interaction } from '../../insight/nps-workspace.ts';
import { npsBot } from '../../conversations/sample-bots.ts';
import { openBrowser } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// `@parley/widget/react` as published, in a Vite project, with each supported React.

const modules = resolve(import.meta.dirname, '../../../node_modules');
const root = join(import.meta.dirname, '../react-app');

beforeAll(bundlePackage);

/** Builds the project with the React of that package, and serves it beside a backend that signs customer tokens. */
async function openSite(suffix: string) {
  const { baseUrl } = inject('local');
  const outDir = await mkdtemp(join(tmpdir(), 'parley-react-'));
  const alias = ['react', 'react-dom'].map((name) => ({
    find: new RegExp(`^${name}(/.*)?$`),
    replacement: `${join(modules, name)}${suffix}$1`,
  }));
  const common = { root, configFile: false, logLevel: 'error' } as const;
  await build({ ...common, resolve: { alias }, build: { outDir, emptyOutDir: true } });

  let workspace: TestWorkspace | undefined;
  const tokens: Plugin = {
    name: 'tokens',
    configurePreviewServer: ({ middlewares }: PreviewServer) => {
      middlewares.use('/token', (request, response) => {
        const customer = new URL(request.url ?? '', 'http://site').searchParams.get('customer') ?? '';
        workspace?.client.customers.createToken(customer).then(
          ({ customerToken }) => response.end(customerToken),
          (error: unknown) => response.writeHead(500).end(String(error)),
        );
      });
    },
  };
  const server = await preview({
    ...common,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
    plugins: [tokens],
  });
  const [origin = ''] = server.resolvedUrls?.local ?? [];
  const { id, ...made } = (workspace = await createWorkspace(baseUrl, inject('operator'), {
    allowedDomains: [new URL(origin).origin],
  }));
  const botId = await made.publish(npsBot);
  return {
    urlOf: (customer: string, view = 'widget') =>
      `${origin}?${new URLSearchParams({ baseUrl, workspaceId: id, customer, view })}`,
    create: async (customerId: string): Promise<Interaction> =>
      (
        await made.api.post<Interaction>('/interactions', {
          customerId,
          botId,
          status: 'Pending',
          priority: 'Low',
        })
      ).body.data,
    createCustomer: (customerId: string) => made.client.customers.create({ id: customerId }),
    read: (interactionId: string) => made.client.interactions.get(interactionId),
    close: async () => {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

describe.each([
  ['19', ''],
  ['18', '-18'],
])('with React %s', (version, suffix) => {
  let site: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    site = await openSite(suffix);
  });
  afterAll(() => site.close());

  test('the component shows what waits, reports it, changes to another customer and unmounts with its page', async () => {
    const { id } = await site.create('grace');
    await site.create('another');
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(site.urlOf('grace'));
    await page.getByRole('heading', { name: `React ${version}.` }).waitFor();
    await widget.launcher.waitFor();
    await page.getByRole('button', { name: 'Ask me' }).click();
    await widget.button('Start').click();
    await widget.botSays('How likely');
    await expect.poll(() => page.locator('output').textContent()).toBe(`open ${id}`);
    await expect.poll(() => widget.host.count()).toBe(1);

    await page.getByRole('button', { name: 'Change customer' }).click();
    await widget.panel.waitFor({ state: 'detached' });
    await widget.launcher.waitFor();
    await page.getByRole('button', { name: 'Ask me' }).click();
    await widget.button('Start').waitFor();
    await page.getByRole('button', { name: 'Leave' }).click();
    await widget.host.waitFor({ state: 'detached' });
    expect(tab.faults).toEqual([]);
  });

  test('the hook runs a conversation on the page’s own screen, and after a logout makes no call before next', async () => {
    const { id } = await site.create('ada');
    await using tab = await openBrowser();
    const { page } = tab;
    await page.goto(site.urlOf('ada', 'conversation'));
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('How likely').waitFor();
    await page.getByRole('button', { name: 'Nine' }).click();
    await page.getByText('What is the main reason').waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByText('Stage: completed').waitFor();
    expect((await site.read(id)).status).toBe('Completed');
    await site.create('ada');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Start' }).waitFor();
    await expect.poll(() => page.locator('parley-widget').count()).toBe(0);

    // Its clock is the test's.
    await page.clock.install();
    const calls: string[] = [];
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('Nothing waits').waitFor();
    page.on('request', (request) => calls.push(request.url()));
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.clock.fastForward('20:00');
    await page.evaluate(() => fetch('/index.html'));
    expect(calls).toEqual([expect.stringContaining('/index.html')]);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Start' }).waitFor();

    await site.createCustomer('idle');
    await page.goto(site.urlOf('idle', 'conversation'));
    await page.getByText('Nothing waits').waitFor();
    expect(tab.faults).toEqual([]);
  });
});
