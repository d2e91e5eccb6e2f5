import type { Branding } from '@parley/client';
import { expect, test } from 'vitest';
import {
  brandingChange,
  brandingFields,
  brandingOf,
  contactFields,
  contactPolicyOf,
  isSamePolicy,
  linesOf,
  retentionFields,
  retentionOf,
} from './fields.ts';

const none: Branding = {
  displayName: null,
  accentColor: null,
  logoUrl: null,
  privacyText: null,
  endText: null,
  endLink: null,
};
const full: Branding = {
  displayName: 'Shop',
  accentColor: '#112233',
  logoUrl: 'https://a.example/logo.png',
  privacyText: 'We keep it.',
  endText: 'Bye.',
  endLink: { url: 'https://shop.example', label: 'Shop' },
};

test.each([
  ['none', none],
  ['all', full],
])('a branding with %s of its fields is that of its fields', (_, branding) => {
  expect(brandingOf(brandingFields(branding))).toEqual(branding);
  expect(brandingChange(branding, brandingOf(brandingFields(branding)))).toEqual({});
});

test('half of a link is sent, so that the API says what is missing', () => {
  const fields = { ...brandingFields(none), endUrl: 'https://shop.example' };
  expect(brandingOf(fields).endLink).toEqual({ url: 'https://shop.example', label: '' });
});

test('a change has the fields that differ, and the logo itself', () => {
  const edited = { ...full, displayName: null, endLink: { url: 'https://shop.example', label: 'Go' } };
  expect(brandingChange(full, edited)).toEqual({ displayName: null, endLink: edited.endLink });
  const logo = 'data:image/png;base64,AA==';
  expect(brandingChange(full, { ...full, logoUrl: logo })).toEqual({ logo });
  expect(brandingChange(full, { ...full, logoUrl: null })).toEqual({ logo: null });
});

test('an empty field stands for no limit, in both directions', () => {
  const retention = { completedDays: 30, endedDays: null, draftDays: 1 };
  const fields = { completedDays: '30', endedDays: '', draftDays: '1' };
  expect(retentionFields(retention)).toEqual(fields);
  expect(retentionOf(fields)).toEqual(retention);
});

test('each line is a domain, and empty ones are none', () => {
  expect(linesOf(' https://a.example \n\n\thttps://b.example\r\n')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
  expect(linesOf('')).toEqual([]);
});

test('a contact policy is that of its fields: two empty ones are no limit', () => {
  const once = { count: 1, days: 30 };
  for (const policy of [
    { anyBot: once, sameBot: null },
    { anyBot: null, sameBot: once },
  ]) {
    expect(contactPolicyOf(contactFields(policy))).toEqual(policy);
    expect(isSamePolicy(contactPolicyOf(contactFields(policy)), policy)).toBe(true);
  }
  const half = { anyBot: { count: '2', days: '' }, sameBot: { count: '', days: '' } };
  expect(contactPolicyOf(half)).toEqual({ anyBot: { count: 2, days: 0 }, sameBot: null });
  expect(isSamePolicy(contactPolicyOf(half), { anyBot: null, sameBot: null })).toBe(false);
});
