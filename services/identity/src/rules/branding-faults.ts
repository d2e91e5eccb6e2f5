import type { EndLink, UpdateBrandingRequest } from '@parley/contracts/identity/v1/identity';
import { accentColorForm, httpsUrlForm } from '@parley/contracts/branding-forms';
import { brandingLimits, isLonger } from '@parley/contracts/limits';
import type { Fault } from '@parley/runtime/errors';
import { readLogoHeader } from './logo.ts';

const {
  displayNameCharactersMax,
  logoBytesMax,
  logoSideMax,
  endTextCharactersMax,
  privacyTextCharactersMax,
  endLinkUrlCharactersMax,
  endLinkLabelCharactersMax,
} = brandingLimits;

type Change = Omit<UpdateBrandingRequest, 'workspaceId' | 'ifVersion'>;

/** Returns every fault of a change of branding. An empty field clears and has no fault. */
export function brandingFaults(change: Change): Fault[] {
  const { displayName, logo, accentColor, endText, endLink, privacyText } = change;
  return [
    ...(displayName ? lineFaults('/displayName', displayName, displayNameCharactersMax) : []),
    ...(logo?.length ? logoFaults(logo) : []),
    ...(accentColor ? colorFaults(accentColor) : []),
    ...(endText ? textFaults('/endText', endText, endTextCharactersMax) : []),
    ...(privacyText ? lineFaults('/privacyText', privacyText, privacyTextCharactersMax) : []),
    ...(endLink?.endLink ? linkFaults(endLink.endLink) : []),
  ];
}

function textFaults(pointer: string, text: string, charactersMax: number): Fault[] {
  const faults: Fault[] = [];
  if (text.trim() === '') faults.push({ pointer, detail: 'Must not be empty' });
  if (isLonger(text, charactersMax)) {
    faults.push({ pointer, detail: `Must have at most ${charactersMax} characters` });
  }
  return faults;
}

export function lineFaults(pointer: string, text: string, charactersMax: number): Fault[] {
  const faults = textFaults(pointer, text, charactersMax);
  if (/\p{Cc}/u.test(text)) faults.push({ pointer, detail: 'Must not contain control characters' });
  return faults;
}

function logoFaults(logo: Buffer): Fault[] {
  const pointer = '/logo';
  if (logo.length > logoBytesMax) {
    return [{ pointer, detail: `Must have at most ${logoBytesMax / 1024} KiB` }];
  }
  const header = readLogoHeader(logo);
  if (!header) return [{ pointer, detail: 'Must be a PNG, JPEG or WebP image' }];
  // A small file can decode to an image that fills a browser's memory.
  if (Math.max(header.width, header.height) <= logoSideMax) return [];
  return [{ pointer, detail: `Must have at most ${logoSideMax} pixels in width and in height` }];
}

function colorFaults(color: string): Fault[] {
  if (accentColorForm.test(color)) return [];
  return [{ pointer: '/accentColor', detail: 'Must be a colour such as #1f5c4a' }];
}

function linkFaults({ url, label }: EndLink): Fault[] {
  const faults = lineFaults('/endLink/label', label, endLinkLabelCharactersMax);
  if (url.length > endLinkUrlCharactersMax || !httpsUrlForm.test(url)) {
    faults.push({ pointer: '/endLink/url', detail: 'Must be an https URL such as https://shop.example.com' });
  }
  return faults;
}
