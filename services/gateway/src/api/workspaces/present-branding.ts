import type { Branding } from '@parley/contracts/identity/v1/identity';
import { accentColorForm, httpsUrlForm } from '@parley/contracts/branding-forms';
import { brandingLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { textSchema } from '../../values/text.ts';

const {
  displayNameCharactersMax,
  endTextCharactersMax,
  privacyTextCharactersMax,
  endLinkUrlCharactersMax,
  endLinkLabelCharactersMax,
} = brandingLimits;

export const displayName = textSchema({
  min: 1,
  max: displayNameCharactersMax,
  controlCharacters: 'refused',
  blank: 'refused',
}).meta({
  description: "The name that customers see, beside the bot's",
  examples: ['Fog & Leaf'],
});

export const accentColor = z
  .string()
  .regex(accentColorForm, 'Must be a colour such as #1f5c4a')
  .meta({
    description:
      'The colour of buttons and marks, `#rrggbb`. Text on it is black or white. Text in it is darkened or ' +
      'lightened until it is readable (WCAG 2.2 AA)',
    examples: ['#1f5c4a'],
  });

export const endText = textSchema({ min: 1, max: endTextCharactersMax, blank: 'refused' }).meta({
  description: 'Shown where a conversation is completed, has expired or is not available. Plain text',
  examples: ['Thank you! Our shop at the harbour is open until six.'],
});

export const privacyText = textSchema({
  min: 1,
  max: privacyTextCharactersMax,
  controlCharacters: 'refused',
  blank: 'refused',
}).meta({
  description:
    'One line about privacy, shown on link pages before the start. Plain text; an https address in it becomes a link',
  examples: ['Only our service team reads your answers: https://shop.example.com/privacy'],
});

export const endLink = z
  .strictObject({
    url: textSchema({ max: endLinkUrlCharactersMax })
      .refine((value) => httpsUrlForm.test(value), 'Must be an https URL such as https://shop.example.com')
      .meta({
        description: 'An https URL without user name and password',
        pattern: httpsUrlForm.source,
        examples: ['https://shop.example.com'],
      }),
    label: textSchema({
      min: 1,
      max: endLinkLabelCharactersMax,
      controlCharacters: 'refused',
      blank: 'refused',
    }).meta({
      description: 'The words of the link',
      examples: ['Back to the shop'],
    }),
  })
  .meta({ id: 'BrandingEndLink', description: 'A link below `endText`' });

/** Unset fields are null. */
export const branding = z
  .strictObject({
    displayName: displayName.nullable(),
    logoUrl: z
      .string()
      .nullable()
      .meta({
        description:
          'Where the logo is served. Its name is the first half of the SHA-256 of the image, in hex, so that it can be ' +
          'cached for ever',
        examples: [
          'https://talk.example.com/logos/019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b/9f86d081884c7d659a2feaa0c55ad015.png',
        ],
      }),
    accentColor: accentColor.nullable(),
    endText: endText.nullable(),
    endLink: endLink.nullable(),
    privacyText: privacyText.nullable(),
  })
  .meta({
    id: 'Branding',
    description:
      'The look of the workspace on link pages and in the widget. For a field that is null, the product has defaults',
  });

/** Returns undefined if nothing is set. */
export function toBrandingIfAny(
  workspaceId: string,
  row: Branding,
  publicUrl: string,
): z.output<typeof branding> | undefined {
  const shown = toBranding(workspaceId, row, publicUrl);
  return Object.values(shown).some((field) => field !== null) ? shown : undefined;
}

/** The path changes with the content of the logo. */
export function logoPath(workspaceId: string, name: string): string {
  return `/logos/${workspaceId}/${name}`;
}

/**
 * Returns the branding as the API shows it. `publicUrl` is the gateway's URL for browsers, without a trailing slash.
 */
export function toBranding(workspaceId: string, row: Branding, publicUrl: string): z.output<typeof branding> {
  const { logoName } = row;
  return {
    displayName: row.displayName ?? null,
    logoUrl: logoName ? publicUrl + logoPath(workspaceId, logoName) : null,
    accentColor: row.accentColor ?? null,
    endText: row.endText ?? null,
    endLink: row.endLink && { url: row.endLink.url, label: row.endLink.label },
    privacyText: row.privacyText ?? null,
  };
}
