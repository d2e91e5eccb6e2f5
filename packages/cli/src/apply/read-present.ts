import { type Api, called } from '../api.ts';
import type { Desired } from './read-folder.ts';
import type { Present, PresentBot } from './plan.ts';

/** Reads what the workspace has of what the files describe, and nothing else: a key needs no other scope. */
export async function readPresent(api: Api, desired: Desired): Promise<Present> {
  const { workspace } = api;
  const bots = new Map<string, PresentBot>();
  for (const { definition } of desired.bots) {
    const bot = await readBotVersion(api, definition.key);
    if (bot) bots.set(definition.key, bot);
  }
  return {
    ...(desired.allowedDomains && { allowedDomains: await api.allowedDomains() }),
    ...(desired.branding && { branding: await called(workspace.branding.get()) }),
    ...(desired.contactPolicy && { contactPolicy: await called(workspace.contactPolicy.get()) }),
    ...(desired.retention && { retention: await called(workspace.retention.get()) }),
    ...(desired.webhooks && { webhooks: await readWebhooks(api, desired.webhooks) }),
    bots,
  };
}

async function readWebhooks(
  { workspace }: Api,
  wanted: NonNullable<Desired['webhooks']>,
): Promise<NonNullable<Present['webhooks']>> {
  const urls = new Set(wanted.map(({ value }) => value.url));
  const all: NonNullable<Present['webhooks']> = [];
  for (const one of (await called(workspace.webhooks.list())).data) {
    all.push(
      urls.has(one.url) ? { ...one, options: await called(workspace.webhooks.getOptions(one.id)) } : one,
    );
  }
  return all;
}

async function readBotVersion(api: Api, key: string): Promise<PresentBot | undefined> {
  const id = await api.findBot(key);
  if (id === undefined) return undefined;
  const { version, text, digest } = await api.readVersion(id);
  return { id, version, digest, definition: JSON.parse(text) };
}
