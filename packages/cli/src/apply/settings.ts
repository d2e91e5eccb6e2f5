import { accentColorForm, httpsUrlForm } from '@parley/contracts/branding-forms';
import { type EventName, eventNames } from '@parley/contracts/event-names';
import { headerNameForm, reservedHeaderForm } from '@parley/contracts/header-field-forms';
import {
  brandingLimits,
  contactLimits,
  isLonger,
  retentionLimits,
  webhookLimits,
} from '@parley/contracts/limits';
import { filterFault } from '@parley/bot/event-filter';
import { z } from 'zod';

const domainsMax = 100;
const urlCharactersMax = 2_048;

const noControls = /^\P{Cc}*$/u;
const anyButNul = /^[^\0]*$/;

/** As the API's texts: not blank, lengths in code points. */
function text(charactersMax: number, form = noControls) {
  return z
    .string()
    .refine((value) => value.trim() !== '', 'Must not be empty')
    .refine((value) => !isLonger(value, charactersMax), `Must have at most ${charactersMax} characters`)
    .refine((value) => form.test(value) && value.isWellFormed(), 'Must not contain control characters');
}

/** A value that no file has. */
const secret = z.strictObject(
  { env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Must be the name of an environment variable') },
  {
    error: ({ code }) => (code === 'invalid_type' ? 'Must be {env: NAME}: files have no secrets' : undefined),
  },
);

const branding = z
  .strictObject({
    displayName: text(brandingLimits.displayNameCharactersMax).nullable(),
    /** A path, relative to the file. */
    logo: text(urlCharactersMax).nullable(),
    accentColor: z
      .string()
      .regex(accentColorForm, 'Must be a colour such as #1f5c4a')
      .toLowerCase()
      .nullable(),
    endText: text(brandingLimits.endTextCharactersMax, anyButNul).nullable(),
    endLink: z
      .strictObject({
        url: z
          .string()
          .max(brandingLimits.endLinkUrlCharactersMax)
          .regex(httpsUrlForm, 'Must be an https URL such as https://shop.example.com'),
        label: text(brandingLimits.endLinkLabelCharactersMax),
      })
      .nullable(),
    privacyText: text(brandingLimits.privacyTextCharactersMax).nullable(),
  })
  .partial();

const days = z.int().min(1).max(retentionLimits.daysMax).nullable();

const contactLimit = z
  .strictObject({
    count: z.int().min(1).max(contactLimits.countMax),
    days: z.int().min(1).max(contactLimits.daysMax),
  })
  .nullable();

function hasUser(url: string): boolean {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  return username + password !== '';
}

const event = z.enum(eventNames as [EventName, ...EventName[]]);

const webhook = z.strictObject({
  url: text(urlCharactersMax)
    .refine((value) => /^https?:/i.test(value) && URL.canParse(value), 'Must be an http or https URL')
    .refine((value) => !/\s$/.test(value), 'Must not end in a space')
    .refine((value) => !hasUser(value), 'Must not have a user name or password'),
  secretToken: secret,
  isActive: z.boolean().optional(),
  events: z
    .array(event)
    .min(1)
    .refine((names) => new Set(names).size === names.length, 'Must not name an event twice')
    .optional(),
  filter: text(webhookLimits.filterCharactersMax, anyButNul)
    .superRefine((value, context) => {
      const message = filterFault(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .nullable()
    .optional(),
  envelope: z.boolean().optional(),
  ordering: z.enum(['none', 'perCustomer', 'strict']).optional(),
  rateLimit: z
    .strictObject({
      perSecond: z.number().min(webhookLimits.perSecondMin).max(webhookLimits.perSecondMax),
      burst: z.int().min(1).max(webhookLimits.burstMax),
    })
    .nullable()
    .optional(),
  asymmetricSignature: z.boolean().optional(),
  headers: z
    .record(
      z
        .string()
        .regex(headerNameForm, 'Must be the name of a header field')
        .refine((name) => !reservedHeaderForm.test(name), 'Is reserved: Parley sets it'),
      secret,
    )
    .refine(
      (fields) => Object.keys(fields).length <= webhookLimits.headerFieldsMax,
      `Must have at most ${webhookLimits.headerFieldsMax} fields`,
    )
    .refine((fields) => {
      const names = Object.keys(fields).map((name) => name.toLowerCase());
      return new Set(names).size === names.length;
    }, 'Must not name a field twice: upper and lower case are the same')
    .optional(),
});

/**
 * What a file of settings may have, with the forms and limits of the API. The API also checks what only it knows, such
 * as whether the deployment may call an address.
 */
export const settings = z.strictObject({
  allowedDomains: z
    .array(
      z
        .string()
        .max(urlCharactersMax)
        .regex(/^https?:\/\/\S+$/i, 'Must be an http or https URL'),
    )
    .max(domainsMax)
    .refine((list) => new Set(list).size === list.length, 'Must not name a domain twice')
    .optional(),
  branding: branding.optional(),
  contactPolicy: z.strictObject({ anyBot: contactLimit, sameBot: contactLimit }).partial().optional(),
  retention: z.strictObject({ completedDays: days, endedDays: days, draftDays: days }).partial().optional(),
  webhooks: z.array(webhook).optional(),
});

export type Settings = z.output<typeof settings>;
export type WebhookSettings = z.output<typeof webhook>;
export type Secret = z.output<typeof secret>;
