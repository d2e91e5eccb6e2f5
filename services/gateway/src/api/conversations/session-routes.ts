import { notFound, toAppError } from '@parley/runtime/errors';
import { z } from 'zod';
import { specified } from '../../values/message.ts';
import { branding, toBrandingIfAny } from '../workspaces/present-branding.ts';
import { status } from '../interactions/present.ts';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { sessionSeconds } from '../../auth/session.ts';
import { publicBodyLimit } from '../../http/request/body.ts';
import { id, textSchema, tokenExample } from '../../values/text.ts';

const pollAfterSeconds = 60;

const createSession = route({
  method: 'POST',
  path: '/public/v1/workspaces/{workspaceId}/sessions',
  access: 'token',
  origins: 'workspace',
  refusesForeignOrigin: true,
  operationId: 'createSession',
  clientMethod: 'createSession',
  tag: 'Conversations',
  summary: 'Begin a session with a customer token',
  description: publicBodyLimit,
  errors: ['invalid-customer-token'],
  params: inWorkspace,
  body: z.strictObject({
    customerToken: textSchema({ min: 1, max: 4000 }).meta({ examples: [tokenExample] }),
  }),
  data: z.strictObject({
    sessionToken: z.string().meta({ examples: [tokenExample] }),
    expiresIn: z.int().meta({ description: 'Seconds', examples: [sessionSeconds] }),
    pollAfter: z.int().meta({
      description: 'After how many seconds to ask for what is pending',
      examples: [pollAfterSeconds],
    }),
    branding: branding.optional(),
  }),
  handle: async (
    { params: { workspaceId }, body },
    call,
    { identity, conversations, publicUrl, sessions },
  ) => {
    const check = async () => {
      const [branding, token] = await Promise.allSettled([
        identity.getBranding({ workspaceId }, call.rpc()),
        identity.verifyCustomerToken({ workspaceId, token: body.customerToken }, call.rpc()),
      ]);
      // An unknown workspace is a 404 for every token. After any other failure the answer has no branding.
      if (branding.status === 'rejected' && toAppError(branding.reason).code === 'not_found')
        throw branding.reason;
      if (token.status === 'rejected') throw token.reason;
      return {
        ...token.value,
        row: branding.status === 'fulfilled' ? branding.value : undefined,
      };
    };
    const { customerId, grant, row } = await call.verified(check);
    call.countSession(`${workspaceId} ${customerId}`);
    const subject = { $case: 'customerId', value: customerId } as const;
    const rpc = { ...call.rpc(), grant };
    const { version: fenceVersion } = await conversations.getFence({ workspaceId, customerId }, rpc);
    const sessionToken = await sessions.issue({ workspaceId, subject, fenceVersion }, grant);
    return {
      data: {
        sessionToken,
        expiresIn: sessionSeconds,
        pollAfter: pollAfterSeconds,
        branding: row && toBrandingIfAny(workspaceId, row, publicUrl),
      },
    };
  },
});

const createLinkSession = route({
  method: 'POST',
  path: '/public/v1/link-sessions',
  access: 'token',
  origins: 'landing',
  refusesForeignOrigin: true,
  operationId: 'createLinkSession',
  clientMethod: 'createLinkSession',
  tag: 'Conversations',
  summary: 'Begin a session with the token of a link',
  description: `The token is the last part of the \`link\` of an interaction. Changes nothing. Only the landing page may
call it.
${publicBodyLimit}`,
  errors: ['not-found'],
  body: z.strictObject({ token: textSchema({ min: 1, max: 255 }).meta({ examples: ['2TfPq0Xy8mZ3'] }) }),
  data: z.strictObject({
    sessionToken: z.string().meta({ examples: [tokenExample] }),
    expiresIn: z.int().meta({ description: 'Seconds', examples: [sessionSeconds] }),
    workspaceId: id,
    interactionId: id,
    status,
    botName: z.string().meta({ examples: ['NPS follow-up'] }),
  }),
  handle: async ({ body }, call, { conversations, sessions }) => {
    const open = async () => {
      const found = await conversations.openLink({ token: body.token }, call.rpc());
      if (found.unavailable) throw notFound();
      return found;
    };
    const link = await call.verified(open);
    const { workspaceId, interactionId, linkVersion, botName, grant } = link;
    call.countSession(interactionId);
    const hasEnded = link.status === 'Completed' || link.status === 'Expired';
    const subject = { $case: 'interaction', value: { interactionId, linkVersion, hasEnded } } as const;
    const sessionToken = await sessions.issue({ workspaceId, subject, fenceVersion: 0 }, grant);
    return {
      data: {
        sessionToken,
        expiresIn: sessionSeconds,
        workspaceId,
        interactionId,
        status: specified(link.status),
        botName,
      },
    };
  },
});

/** Sessions by a customer token of the client's backend, and by the token of a link, for its interaction only. */
export const sessionRoutes: Route[] = [createSession, createLinkSession];
