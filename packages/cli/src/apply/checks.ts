import { headerValueForm } from '@parley/contracts/header-field-forms';
import { isLonger, webhookLimits } from '@parley/contracts/limits';
import type { FaultInFile } from '../failure.ts';
import type { BotFile } from '../files/bot-file.ts';
import type { Shell } from '../shell.ts';
import type { Secret, WebhookSettings } from './settings.ts';
import type { Described, SettingsFile } from './settings-file.ts';

export function repeatedSections(files: readonly SettingsFile[]): FaultInFile[] {
  return (['allowedDomains', 'branding', 'retention', 'contactPolicy'] as const).flatMap((name) => {
    const [first, ...others] = files.filter(({ content }) => content[name] !== undefined);
    return others.map(({ place }) => place({ pointer: `/${name}`, detail: `Is in ${first?.file} too` }));
  });
}

export function repeatedKeys(bots: readonly BotFile[]): FaultInFile[] {
  const known = new Map<string, string>();
  return bots.flatMap(({ file, definition: { key }, place }) => {
    const before = known.get(key);
    known.set(key, before ?? file);
    return before === undefined ? [] : [place({ pointer: '/key', detail: `${before} has the same key` })];
  });
}

export function repeatedUrls(webhooks: readonly Described<WebhookSettings>[]): FaultInFile[] {
  const known = new Set<string>();
  return webhooks.flatMap(({ value: { url }, place }) => {
    if (!known.has(url)) return (known.add(url), []);
    return [
      place({ pointer: '/url', detail: 'Is the URL of another webhook: the URL identifies a webhook' }),
    ];
  });
}

/** Names the variables, never their values. */
export function secretFaults(webhooks: readonly Described<WebhookSettings>[], shell: Shell): FaultInFile[] {
  const tokens = new Map<string, string>();
  return webhooks.flatMap(({ value: { secretToken, headers = {} }, place }) => {
    const faultOf = (
      { env }: Secret,
      pointer: string,
      isUsable: (value: string) => boolean,
    ): FaultInFile[] => {
      const value = shell.env[env];
      if (!value) return [place({ pointer, detail: `The environment variable ${env} is not set` })];
      return isUsable(value) ? [] : [place({ pointer, detail: `The value of ${env} cannot be sent` })];
    };
    const token = shell.env[secretToken.env];
    const twin = token ? tokens.get(token) : undefined;
    if (token) tokens.set(token, secretToken.env);
    return [
      ...faultOf(secretToken, '/secretToken/env', isToken),
      ...(twin === undefined
        ? []
        : [
            place({
              pointer: '/secretToken/env',
              detail: `Has the same value as that of another webhook (${twin})`,
            }),
          ]),
      ...Object.entries(headers).flatMap(([name, field]) =>
        faultOf(field, `/headers/${name.replaceAll('~', '~0')}/env`, (value) => headerValueForm.test(value)),
      ),
    ];
  });
}

function isToken(value: string): boolean {
  return !isLonger(value, webhookLimits.secretTokenCharactersMax) && value.isWellFormed();
}
