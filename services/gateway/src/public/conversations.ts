import { conversationLimits, interactionLimits } from '@parley/contracts/limits';
import type {
  GetConversationRequest,
  PostMessageRequest,
  Snapshot,
} from '@parley/contracts/interaction/v1/conversation';
import { AppError } from '@parley/runtime/errors';
import { z } from 'zod';
import { required } from '../values/message.ts';
import type { Peers } from '../peers.ts';
import { locale, snapshot, toSnapshot } from '../present/conversation.ts';
import { createPolls } from '../limits/polls.ts';
import { wholeNumber } from '../values/query.ts';
import { inWorkspace, type Route, route, type SessionCall } from '../http/route.ts';
import { bodyLimit } from './body-limit.ts';
import { id, jsonValue, text } from '../values/text.ts';

const { clientMessageIdCharactersMax, stepIdCharactersMax } = conversationLimits;
const seqMax = 2_147_483_647;

const answer = z
  .strictObject({ value: jsonValue, text: text({ max: 4000 }), skip: z.literal(true) })
  .partial()
  .refine((given) => Object.keys(given).length === 1, 'Must have exactly one of value, text, skip')
  .meta({
    description: `Exactly one: a \`value\` of the step's type, \`text\` that is understood as one where possible, or \`skip\`. Values are strings
for text, longText, email, phone, url and choice, an array of strings for multiChoice, numbers for nps, rating and number, a boolean
for yesNo, \`YYYY-MM-DD\` for date and \`HH:MM\` for time.`,
    minProperties: 1,
    maxProperties: 1,
    examples: [{ value: 9 }],
  });

const message = z
  .strictObject({
    clientMessageId: text({ min: 1, max: clientMessageIdCharactersMax }).meta({
      description: 'The same id and message again get the stored outcome',
      examples: ['message-1'],
    }),
    expectedSeq: z
      .int()
      .min(0)
      .max(seqMax)
      .meta({ description: 'The `seq` of the snapshot that is answered', examples: [2] }),
    stepId: text({ min: 1, max: stepIdCharactersMax }).meta({
      description: 'The `input.stepId` of that snapshot',
      examples: ['score'],
    }),
    answer,
  })
  .meta({ id: 'Message' });

type ReadRequest = Omit<GetConversationRequest, 'waitSeconds'>;

const beginning = z
  .strictObject({
    locale: locale.optional(),
  })
  .optional();

const oneConversation = inWorkspace.extend({
  interactionId: id.meta({ description: 'The id of the interaction' }),
});
const path = '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}';

/** A customer's talk with a bot. */
export function conversationRoutes({ conversations }: Peers): Route[] {
  const polls = createPolls();
  const read = (request: ReadRequest, call: SessionCall): Promise<Snapshot> =>
    conversations.getConversation({ ...request, waitSeconds: 0 }, call.rpc());
  /** Who must not wait any longer is answered with the talk as it is. */
  const poll = async (request: ReadRequest, waitSeconds: number, call: SessionCall): Promise<Snapshot> => {
    using open = polls.open(call.sessionName, request.interactionId);
    try {
      const options = call.poll(waitSeconds, open.replaced);
      return await conversations.getConversation({ ...request, waitSeconds }, options);
    } catch (error) {
      if (!call.isStopping() && !open.replaced.aborted) throw error;
      return read(request, call);
    }
  };
  return [
    route({
      method: 'GET',
      path,
      access: 'session',
      origins: 'workspace',
      limit: 'conversation',
      operationId: 'getConversation',
      tag: 'Conversations',
      summary: 'Get the talk so far; waits up to `wait` seconds for something newer than `after`',
      description:
        'One call of a session waits for a talk at a time: a newer one ends the older, which is answered with the talk as it is.',
      params: oneConversation,
      query: z.object({
        after: wholeNumber(0, seqMax).default(0).meta({ description: 'Entries after this number only' }),
        wait: wholeNumber(0, interactionLimits.waitSecondsMax)
          .default(0)
          .meta({ description: 'How many seconds to wait for something newer than `after`' }),
      }),
      data: snapshot,
      handle: async ({ params: { interactionId }, query }, call) => {
        const { session } = call;
        const request = { session, interactionId, after: query.after };
        const { wait } = query;
        return { data: toSnapshot(await (wait > 0 ? poll(request, wait, call) : read(request, call))) };
      },
    }),
    route({
      method: 'POST',
      path: `${path}/start`,
      access: 'session',
      origins: 'workspace',
      limit: 'conversation',
      operationId: 'startConversation',
      tag: 'Conversations',
      summary: 'Start the talk; one in progress is answered as it is',
      description: `A body is optional. Texts are in the language of \`locale\` where the bot has them, else in its own.

${bodyLimit}`,
      errors: ['conversation-ended', 'lost-race'],
      params: oneConversation,
      body: beginning,
      data: snapshot,
      handle: async ({ params: { interactionId }, body }, call) => {
        const request = { session: call.session, interactionId, locale: body?.locale };
        return { data: toSnapshot(await conversations.startConversation(request, call.rpc())) };
      },
    }),
    route({
      method: 'POST',
      path: `${path}/messages`,
      access: 'session',
      origins: 'workspace',
      limit: 'messages',
      operationId: 'postMessage',
      tag: 'Conversations',
      summary: 'Answer the step that is waiting',
      description: bodyLimit,
      errors: [
        'not-started',
        'stale-sequence',
        'client-message-id-reused',
        'lost-race',
        'conversation-ended',
        'unanswerable-answer',
      ],
      params: oneConversation,
      body: message,
      data: snapshot,
      handle: async ({ params: { interactionId }, body }, call) => {
        const request = { session: call.session, interactionId, ...body, answer: toAnswer(body.answer) };
        const posted = await conversations.postMessage(request, call.rpc());
        const data = toSnapshot(required(posted.snapshot));
        return posted.stale ? { data, error: stale() } : { data };
      },
    }),
  ];
}

function toAnswer({ value, text: words }: z.output<typeof answer>): PostMessageRequest['answer'] {
  if (value !== undefined) return { $case: 'valueJson', value: JSON.stringify(value) };
  return words === undefined ? { $case: 'skip', value: true } : { $case: 'text', value: words };
}

function stale(): AppError {
  return new AppError(
    'failed_precondition',
    'stale-sequence',
    'The talk has moved on: answer what is waiting now',
  );
}
