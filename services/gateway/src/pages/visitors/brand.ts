import { textOn } from '@parley/contracts/accent';
import { createHash } from 'node:crypto';
import { escaped } from '@parley/runtime/html';
import type { z } from 'zod';
import type { branding } from '../../api/workspaces/present-branding.ts';

// The branding of a workspace on pages without a script. All parts are HTML. Undefined: nothing is set.

export type Brand = z.output<typeof branding> | undefined;

/** Returns the words and the link of the workspace for a page where nothing goes on. */
export function endOf(brand: Brand): string {
  const { endText, endLink } = brand ?? {};
  const text = endText ? `<p>${escaped(endText)}</p>\n` : '';
  return endLink ? `${text}<p>${link(endLink.url, endLink.label)}</p>\n` : text;
}

/** Returns the line about privacy, for a page whose button starts a conversation. */
export function privacyOf(brand: Brand): string {
  const { privacyText } = brand ?? {};
  if (!privacyText) return '';
  // Punctuation at the end of a sentence does not belong to an address.
  const parts = privacyText.split(/(https:\/\/[^\s\p{Cf}<>"'()[\]{}@]*[^\s\p{Cf}<>"'()[\]{}@.,;:!?…])/u);
  // A word with a colon is a URL, too.
  const isAddress = (part: string): boolean => part.startsWith('https://') && URL.canParse(part);
  const shown = parts.map((part) => (isAddress(part) ? link(part, part) : escaped(part)));
  return `<p class="privacy">${shown.join('')}</p>\n`;
}

function link(url: string, label: string): string {
  return `<a href="${escaped(url)}" target="_blank" rel="noopener noreferrer">${escaped(label)}</a>`;
}

/** The page names the company in words. */
export function logoOf(brand: Brand): string {
  return brand?.logoUrl ? `<img class="logo" src="${escaped(brand.logoUrl)}" alt="">\n` : '';
}

/** Returns the style of the accent colour, and its source for the content security policy. */
export function accentOf(brand: Brand): { html: string; source: string } {
  if (!brand?.accentColor) return { html: '', source: '' };
  const style = `:root{--fill:${brand.accentColor};--on-fill:${textOn(brand.accentColor)}}`;
  const digest = createHash('sha256').update(style).digest('base64');
  return { html: `\n<style>${style}</style>`, source: ` 'sha256-${digest}'` };
}
