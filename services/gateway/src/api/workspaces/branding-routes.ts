import { brandingLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import {
  accentColor,
  branding,
  displayName,
  endLink,
  endText,
  privacyText,
  toBranding,
} from './present-branding.ts';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';

const { logoBytesMax, logoSideMax } = brandingLimits;

const longestType = 'data:image/jpeg;base64,';
const quad = '[A-Za-z0-9+/]{4}';

// The identity service checks that the bytes are such an image.
const logo = z
  .string()
  .max(longestType.length + Math.ceil(logoBytesMax / 3) * 4, {
    error: `Must have at most ${logoBytesMax / 1024} KiB`,
    abort: true,
  })
  .regex(
    new RegExp(
      `^data:image/(?:png|jpeg|webp);base64,(?:${quad})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|${quad})$`,
    ),
    'Must be a PNG, JPEG or WebP image as a data URL in base64',
  )
  .meta({
    description: `A PNG, JPEG or WebP image as a data URL in base64. It has at most ${logoBytesMax / 1024} KiB when
decoded, and at most ${logoSideMax} pixels in width and in height. It is also the icon of link pages`,
    examples: [
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mPgF3P4DwACzQG4Q1vmJgAAAABJRU5ErkJggg==',
    ],
  });

const fields = ['displayName', 'logo', 'accentColor', 'endText', 'endLink', 'privacyText'];

const brandingChange = z
  .strictObject({
    displayName: displayName.nullable(),
    logo: logo.nullable(),
    accentColor: accentColor.nullable(),
    endText: endText.nullable(),
    endLink: endLink.nullable(),
    privacyText: privacyText.nullable(),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, `Must have at least one of ${fields.join(', ')}`)
  .meta({
    id: 'BrandingChange',
    minProperties: 1,
    examples: [
      {
        displayName: 'Fog & Leaf',
        accentColor: '#1f5c4a',
        endText: 'Thank you! Our shop at the harbour is open until six.',
        endLink: { url: 'https://shop.example.com', label: 'Back to the shop' },
      },
    ],
  });

const getBranding = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/branding',
  access: 'key',
  scope: 'workspace:read',
  operationId: 'getBranding',
  clientMethod: 'branding.get',
  tag: 'Workspaces',
  summary: 'Get the branding of a workspace',
  params: inWorkspace,
  data: branding,
  handle: async ({ params: { workspaceId } }, call, { identity, publicUrl }) => {
    const row = await identity.getBranding({ workspaceId }, call.rpc());
    return { data: toBranding(workspaceId, row, publicUrl), version: row.version };
  },
});

const updateBranding = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/branding',
  access: 'key',
  scope: 'workspace:write',
  operationId: 'updateBranding',
  clientMethod: 'branding.update',
  tag: 'Workspaces',
  summary: 'Change the branding of a workspace',
  description:
    'Absent fields stay, null clears a field. Link pages show the change at once, widgets from their next ' +
    'session on.',
  params: inWorkspace,
  body: brandingChange,
  data: branding,
  handle: async ({ params: { workspaceId }, body }, call, { identity, publicUrl }) => {
    const row = await identity.updateBranding(
      {
        workspaceId,
        ifVersion: call.ifVersion,
        displayName: emptyForNull(body.displayName),
        logo: body.logo === undefined ? undefined : bytesOf(body.logo),
        accentColor: emptyForNull(body.accentColor),
        endText: emptyForNull(body.endText),
        endLink: body.endLink === undefined ? null : { endLink: body.endLink },
        privacyText: emptyForNull(body.privacyText),
      },
      call.rpc(),
    );
    return { data: toBranding(workspaceId, row, publicUrl), version: row.version };
  },
});

export const brandingRoutes: Route[] = [getBranding, updateBranding];

/** Returns an empty text for null, which clears the field. */
function emptyForNull(value: string | null | undefined): string | undefined {
  return value === null ? '' : value;
}

function bytesOf(dataUrl: string | null): Buffer {
  return Buffer.from(dataUrl?.slice(dataUrl.indexOf(',') + 1) ?? '', 'base64');
}
