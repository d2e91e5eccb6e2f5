import type { NewWebhook, WebhookOptionsChange } from '@parley/client';
import { type Api, called } from '../api.ts';
import { Failure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import type { Change } from './plan.ts';
import { type BrandingSettings, mediaTypeOf } from './settings-file.ts';
import type { Secret, WebhookSettings } from './settings.ts';

/** Makes one change. Throws a `Failure` with the places of the faults that the API finds. */
export async function perform(change: Change, api: Api, shell: Shell): Promise<void> {
  try {
    await call(change, api, shell);
  } catch (error) {
    if (!(error instanceof Failure) || !error.faults || !('from' in change)) throw error;
    const { place } = change.from;
    const faults = error.faults.map(({ pointer, detail }) => {
      // A new version is sent inside of `definition`.
      return place({
        pointer: change.kind === 'bot' ? pointer.replace(/^\/definition/, '') : pointer,
        detail,
      });
    });
    throw new Failure(error.message, { type: error.type, faults, cause: error });
  }
}

async function call(change: Change, api: Api, shell: Shell): Promise<void> {
  const { workspace } = api;
  switch (change.kind) {
    case 'allowedDomains':
      return api.setAllowedDomains(change.from.value);
    case 'branding':
      return void (await called(workspace.branding.update(brandingChange(change.from.value))));
    case 'contactPolicy':
      return void (await called(workspace.contactPolicy.update(change.from.value)));
    case 'retention':
      return void (await called(workspace.retention.update(change.from.value)));
    case 'bot': {
      const { text } = change.from;
      if (change.action === 'create') return void (await api.publish(text, undefined, {}));
      return void (await api.publish(text, change.id, { expectedVersion: change.version }));
    }
    case 'webhook':
      if (change.action === 'create') return createWebhook(change.from.value, api, shell);
      if (change.action === 'update') return updateWebhook(change, api, shell);
      return called(workspace.webhooks.delete(change.id)).then(() => {});
  }
}

function brandingChange({ logo, ...rest }: BrandingSettings) {
  if (!logo) return { ...rest, ...(logo === null && { logo }) };
  return { ...rest, logo: `data:${mediaTypeOf(logo.bytes)};base64,${logo.bytes.toString('base64')}` };
}

/** It becomes active last: a call that fails in between leaves one that sends nothing, and that differs. */
async function createWebhook(settings: WebhookSettings, { workspace }: Api, shell: Shell): Promise<void> {
  const { isActive = false, ordering, rateLimit, asymmetricSignature, headers, ...rest } = settings;
  const body = { ...rest, secretToken: valueOf(settings.secretToken, shell), isActive: false } as NewWebhook;
  const { id } = await called(workspace.webhooks.create(body));
  const later = optionsOf({ ordering, rateLimit, asymmetricSignature, headers }, shell);
  if (Object.keys(later).length > 0) await called(workspace.webhooks.updateOptions(id, later));
  if (isActive) await called(workspace.webhooks.update(id, { isActive }));
}

async function updateWebhook(
  { id, from, fields }: Extract<Change, { kind: 'webhook'; action: 'update' }>,
  { workspace }: Api,
  shell: Shell,
): Promise<void> {
  const changed = new Set(fields.map(({ path }) => path.replace(/\..*$/, '')));
  const { url: _, isActive, ...all } = from.value;
  const wanted = Object.fromEntries(Object.entries(all).filter(([name]) => changed.has(name)));
  const options = optionsOf(wanted, shell);
  const isSwitched = isActive !== undefined && changed.has('isActive');
  if (isSwitched && !isActive) await called(workspace.webhooks.update(id, { isActive }));
  if (Object.keys(options).length > 0) await called(workspace.webhooks.updateOptions(id, options));
  if (isSwitched && isActive) await called(workspace.webhooks.update(id, { isActive }));
}

function optionsOf(wanted: Partial<WebhookSettings>, shell: Shell): WebhookOptionsChange {
  const { secretToken, headers, ...rest } = wanted;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as WebhookOptionsChange),
    ...(secretToken && { secretToken: valueOf(secretToken, shell) }),
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, valueOf(one, shell)])),
    }),
  };
}

/** Reading the files has checked that it is set. */
function valueOf({ env }: Secret, shell: Shell): string {
  return shell.env[env] ?? '';
}
