import { emailBlockOf, emailHtml, emailText } from '@parley/bot/email-block';
import { oneClickMax } from '@parley/bot/one-click';
import { AppError } from '@parley/runtime/errors';
import { z } from 'zod';
import { qrCode } from '../../http/answer/qr-code.ts';
import { type KeyCall, type Route, route } from '../../http/server/route.ts';
import type { RouteDeps } from '../../route-deps.ts';
import type { Personal } from '../../values/personal.ts';
import { credentialPointer } from '../../http/request/principal.ts';
import { linkToken, ownConversation, requireLinks, requirePersonalData } from '../../values/reader.ts';
import { locale, toSnapshot } from '../conversations/present.ts';
import { toBranding } from '../workspaces/present-branding.ts';
import { qrDescription, qrFiles, qrQuery } from './qr.ts';
import { oneInteraction } from './routes.ts';

/** Gmail cuts larger e-mails off. */
const emailBytesMax = 102 * 1024;

const getInteractionQr = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}/qr',
  access: 'key',
  scope: 'interactions:read',
  operationId: 'getInteractionQr',
  clientMethod: 'interactions.qr',
  tag: 'Interactions',
  summary: 'Get the link of an interaction as a QR code',
  description: `${qrDescription} Also needs the scope \`interactions:write\`, as the link itself does.`,
  params: oneInteraction,
  query: qrQuery,
  data: z.null(),
  files: qrFiles,
  handle: async ({ params, query }, call, deps) => {
    const { workspaceId, interactionId } = params;
    const request = { workspaceId, id: interactionId, onlyLink: true };
    const row = await deps.interactions.getInteraction(request, call.rpc());
    requireLinks(call.reader, credentialPointer(call.principal));
    const link = linkOf(row.linkToken, call, deps);
    return { data: null, file: qrCode(link, query.format), version: row.version };
  },
});

const getInteractionEmailBlock = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/interactions/{interactionId}/email-block',
  access: 'key',
  scope: 'interactions:read',
  operationId: 'getInteractionEmailBlock',
  clientMethod: 'interactions.emailBlock',
  tag: 'Interactions',
  summary: 'Get the first question as a block for an e-mail, with a link per answer',
  description: `The answer is a file and no envelope. Put it into your e-mail: a table with inline styles in the colours of the
branding, or plain text. The first question must be of the type \`nps\`, \`rating\`, \`yesNo\` or \`choice\`, with at most
${oneClickMax} answers. Opening a link writes nothing, however often, because programs open links of e-mails too: its page shows the
answer, marked, and one button, which starts the conversation and sends the answer. Also needs the scopes
\`interactions:write\`, for the links, and \`personal-data:read\`.`,
  errors: ['no-email-question'],
  params: oneInteraction,
  query: z.object({
    format: z.enum(['html', 'text']).default('html'),
    locale: locale.optional(),
  }),
  data: z.null(),
  files: {
    'text/html': '<table role="presentation" width="100%" ...>...</table>\n',
    'text/plain': 'How likely are you to recommend us?\n\n0 (Not at all likely): https://...\n',
  },
  handle: async (
    { params, query },
    call,
    { interactions, conversations, identity, landingUrl, publicUrl },
  ) => {
    const { workspaceId, interactionId } = params;
    const request = { workspaceId, id: interactionId, onlyLink: true };
    const row = await interactions.getInteraction(request, call.rpc());
    const pointer = credentialPointer(call.principal);
    requireLinks(call.reader, pointer);
    requirePersonalData(call.reader, pointer);
    // Before anything of the conversation is read. It may begin meanwhile.
    requireNotBegun(row);
    const [preview, brand] = await Promise.all([
      conversations.previewInteraction({ ...params, locale: query.locale }, call.rpc()),
      identity.getBranding({ workspaceId }, call.rpc()),
    ]);
    const opening = toSnapshot(preview, ownConversation);
    requireNotBegun(opening);
    const { displayName, accentColor } = toBranding(workspaceId, brand, publicUrl);
    const link = linkOf(row.linkToken, call, { landingUrl });
    const block = emailBlockOf(opening, { displayName, accentColor, link, locale: query.locale });
    if (!block) {
      throw noQuestion(
        `The first question must be nps, rating, yesNo or choice, with at most ${oneClickMax} answers`,
      );
    }
    const content = query.format === 'html' ? emailHtml(block) : emailText(block);
    if (Buffer.byteLength(content) > emailBytesMax) throw noQuestion('The texts are too long for an e-mail');
    const type = query.format === 'html' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
    const name = query.format === 'html' ? 'block.html' : 'block.txt';
    return { data: null, file: { type, name, content }, version: row.version };
  },
});

function linkOf(
  token: Personal<string>,
  { reader }: Pick<KeyCall, 'reader'>,
  { landingUrl }: Pick<RouteDeps, 'landingUrl'>,
): string {
  return `${landingUrl}/interactions/${linkToken(token, reader)}`;
}

function requireNotBegun({ status }: { status: string }): void {
  if (status !== 'Draft' && status !== 'Pending') throw noQuestion('The conversation has begun or ended');
}

function noQuestion(detail: string): AppError {
  return new AppError('failed_precondition', 'no-email-question', detail);
}

/** What reaches customers: links as QR codes, and blocks for e-mails. */
export const interactionReachRoutes: Route[] = [getInteractionQr, getInteractionEmailBlock];
