import {
  IdentityAdminServiceService,
  IdentityServiceService,
  type UpdateBrandingRequest,
} from '@parley/contracts/identity/v1/identity';
import { brandingLimits } from '@parley/contracts/limits';
import { connect } from '@parley/rpc/connect';
import type { RpcClient } from '@parley/rpc/definition';
import { connectAsCallers } from '@parley/testing/peers/callers';
import { createDatabase } from '@parley/testing/database/database';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrations } from '../src/migrations/index.ts';
import { grants, startReplica, tokens } from './replica.ts';

const call = { requestId: 'test', timeoutMs: 30_000 };

const stack = new AsyncDisposableStack();
let identity: RpcClient<typeof IdentityServiceService>;
let operator: RpcClient<typeof IdentityAdminServiceService>;
let workspaceId: string;

beforeAll(async () => {
  const { url } = stack.use(await createDatabase('identity', migrations));
  const address = await startReplica(stack, url);
  const peer = stack.use(connectAsCallers(address, { token: tokens.service, grants }));
  identity = peer.client(IdentityServiceService);
  operator = stack.use(connect(address, { token: tokens.operator })).client(IdentityAdminServiceService);
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  ({ id: workspaceId } = await operator.createWorkspace({ name: 'Test', allowedDomains: [] }, call));
});

const update = (change: Partial<UpdateBrandingRequest>) =>
  identity.updateBranding({ workspaceId, endLink: null, ...change }, call);
const none = {
  displayName: null,
  logoName: null,
  accentColor: null,
  endText: null,
  endLink: null,
  privacyText: null,
  version: 0,
};
const image = (start: string, length = 64): Buffer => Buffer.from(start.padEnd(length, '\0'), 'latin1');
const pngOf = (sides: string, length?: number) => image(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${sides}`, length);
const png = pngOf('\0\0\0\x01\0\0\0\x01');
// A length of four bytes, and the other bytes before the sides.
const webpOf = (chunk: string, sides: string) => image(`RIFF\x10\0\0\0WEBP${chunk}\0\0\0\0${sides}`);
const frameStart = '\xff\xc0\0\x11\x08';
const notFound = { code: 'not_found', type: 'not-found' };

test('a workspace has no branding at first, stores set fields, and an empty field clears', async () => {
  expect(await identity.getBranding({ workspaceId }, call)).toEqual(none);
  const endLink = { url: 'https://shop.example/teas?a=1#b', label: 'Back to the shop' };
  const whole = await update({
    displayName: 'Fog & Leaf <b>',
    logo: png,
    accentColor: '#0A7D5C',
    endText: 'Thank you,\nRobin',
    endLink: { endLink },
    privacyText: 'Read by us only',
  });
  const logoName = `${createHash('sha256').update(png).digest('hex').slice(0, 32)}.png`;
  expect(whole).toEqual({
    displayName: 'Fog & Leaf <b>',
    logoName,
    accentColor: '#0a7d5c',
    endText: 'Thank you,\nRobin',
    endLink,
    privacyText: 'Read by us only',
    version: 1,
  });
  expect(await update({ endText: '' })).toEqual({ ...whole, endText: null, version: 2 });
  expect(
    await update({ displayName: '', accentColor: '', privacyText: '', endLink: { endLink: null } }),
  ).toEqual({
    ...none,
    logoName,
    version: 3,
  });
  expect(await identity.getLogo({ workspaceId, name: logoName }, call)).toEqual({ content: png });
  expect(await update({ logo: Buffer.alloc(0) })).toEqual({ ...none, version: 4 });
  await expect(identity.getLogo({ workspaceId, name: logoName }, call)).rejects.toMatchObject(notFound);
});

test.each([
  ['png', pngOf('\0\0\x04\0\0\0\x04\0', brandingLimits.logoBytesMax)],
  ['jpg', image(`\xff\xd8\xff\xff\xe0\0\x04ab${frameStart}\x04\0\x04\0`)],
  ['webp', webpOf('VP8 ', '\0\0\0\x9d\x01\x2a\0\x04\0\x04')],
  ['webp', webpOf('VP8L', '\x2f\xff\xc3\xff\0')],
  ['webp', webpOf('VP8X', '\0\0\0\0\xff\x03\0\xff\x03\0')],
])('a logo has the type of its bytes (%s), and 1024 pixels a side at most', async (type, logo) => {
  expect((await update({ logo })).logoName).toMatch(new RegExp(`^[0-9a-f]{32}\\.${type}$`));
});

test('all faults of a change are returned at once, and nothing is changed', async () => {
  const faulty = {
    displayName: 'x'.repeat(brandingLimits.displayNameCharactersMax + 1),
    logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    accentColor: 'teal',
    endText: ' ',
    endLink: { endLink: { url: 'javascript:alert(1)', label: ' ' } },
    privacyText: 'two\nlines',
  };
  const error = await update(faulty).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid_argument', type: 'invalid-request' });
  const { faults } = error as { faults: { pointer: string }[] };
  const pointers = [
    '/displayName',
    '/logo',
    '/accentColor',
    '/endText',
    '/privacyText',
    '/endLink/label',
    '/endLink/url',
  ];
  expect(faults.map(({ pointer }) => pointer)).toEqual(pointers);
  expect(await identity.getBranding({ workspaceId }, call)).toEqual(none);
});

test.each<[string, Partial<UpdateBrandingRequest>]>([
  ['a name of blanks', { displayName: '  ' }],
  ['a name with a line break', { displayName: 'a\nb' }],
  ['a GIF', { logo: image('GIF89a') }],
  ['a logo of more than 64 KiB', { logo: pngOf('\0\0\0\x01\0\0\0\x01', brandingLimits.logoBytesMax + 1) }],
  ['a PNG that is too wide', { logo: pngOf('\0\0\x04\x01\0\0\0\x01') }],
  ['a PNG that is too high', { logo: pngOf('\0\0\0\x01\0\0\x04\x01') }],
  ['a PNG that ends in its header', { logo: png.subarray(0, 20) }],
  ['a JPEG that is too wide', { logo: image(`\xff\xd8${frameStart}\0\x01\x04\x01`) }],
  ['a JPEG that is too high', { logo: image(`\xff\xd8${frameStart}\x04\x01\0\x01`) }],
  ['a JPEG without a frame', { logo: image('\xff\xd8\xff\xe0') }],
  ['a JPEG that hides its frame', { logo: image(`\xff\xd8\xff\xd0\0\x04ab${frameStart}\0\x01\0\x01`) }],
  ['a lossy WebP that is too wide', { logo: webpOf('VP8 ', '\0\0\0\x9d\x01\x2a\x01\x04\x01\0') }],
  ['a lossless WebP that is too high', { logo: webpOf('VP8L', '\x2f\0\0\0\x01') }],
  ['an extended WebP that is too wide', { logo: webpOf('VP8X', '\0\0\0\0\0\x04\0\0\0\0') }],
  ['a short colour', { accentColor: '#0a7' }],
  ['a colour with further text', { accentColor: '#0a7d5c;' }],
  ...[
    'http://a.example',
    'https:a.example',
    'https://u:p@a.example',
    'https://a.example/ b',
    'https://',
    'https://a.example:x',
  ].map((url): [string, Partial<UpdateBrandingRequest>] => [
    `a link to ${url}`,
    { endLink: { endLink: { url, label: 'x' } } },
  ]),
])('%s is refused', async (_name, change) => {
  await expect(update(change)).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('a change with a version applies only to that version', async () => {
  expect(await update({ endText: 'one', ifVersion: 0 })).toMatchObject({ version: 1 });
  await expect(update({ endText: 'two', ifVersion: 0 })).rejects.toMatchObject({
    type: 'precondition-failed',
  });
  expect(await identity.getBranding({ workspaceId }, call)).toMatchObject({ endText: 'one', version: 1 });
});

test('a workspace that does not exist, and the logo of another, are not found', async () => {
  const { logoName } = await update({ logo: png });
  for (const id of ['', 'nonsense', randomUUID()]) {
    await expect(identity.getBranding({ workspaceId: id }, call)).rejects.toMatchObject(notFound);
    await expect(update({ workspaceId: id, endText: 'x' })).rejects.toMatchObject(notFound);
    const named = { workspaceId: id, name: logoName ?? '' };
    await expect(identity.getLogo(named, call)).rejects.toMatchObject(notFound);
  }
  const other = await operator.createWorkspace({ name: 'Other', allowedDomains: [] }, call);
  const foreign = { workspaceId: other.id, name: logoName ?? '' };
  await expect(identity.getLogo(foreign, call)).rejects.toMatchObject(notFound);
});
