import { conversationLimits, interactionLimits } from '@parley/contracts/limits';
import type {
  GetConversationRequest,
  PostMessageRequest,
  Snapshot,
} from '@parley/contracts/interaction/v1/conversation';
import { AppError, toAppError } from '@parley/runtime/errors';
import { z } from 'zod';
import { count } from '../../values/count.ts';
import { required } from '../../values/message.ts';
import { locale, pending, snapshot, toPending, toSnapshot } from './present.ts';
import type { Sealed } from '../../values/personal.ts';
import { wholeNumber } from '../../values/query.ts';
import { ownConversation } from '../../values/reader.ts';
import { inWorkspace, type Route, route, type SessionCall } from '../../http/server/route.ts';
import type { RouteDeps } from '../../route-deps.ts';
import { publicBodyLimit } from '../../http/request/body.ts';
import { typesBy } from '../../values/question-types.ts';
import { id, jsonValue, textSchema } from '../../values/text.ts';

const { clientMessageIdCharactersMax, stepIdCharactersMax } = conversationLimits;
const seqMax = 2_147_483_647;

const [lastForm = '', ...otherForms] = [...typesBy('valueForm')]
  .map(([form, names]) => `${form} for ${names}`)
  .toReversed();
const valueForms = `${otherForms.toReversed().join(', ')} and ${lastForm}`;

const answer = z
  .strictObject({ value: jsonValue, text: textSchema({ max: 4000 }), skip: z.literal(true) })
  .partial()
  .refine((given) => Object.keys(given).length === 1, 'Must have exactly one of value, text, skip')
  .meta({
    description: `Exactly one: a \`value\` of the step's type, \`text\` that the service reads as a value if possible,
or \`skip\`. Values are ${valueForms}.`,
    minProperties: 1,
    maxProperties: 1,
    examples: [{ value: 9 }],
  });

const message = z
  .strictObject({
    clientMessageId: textSchema({ min: 1, max: clientMessageIdCharactersMax }).meta({
      description: 'The same id and message again get the stored outcome',
      examples: ['message-1'],
    }),
    expectedSeq: count
      .max(seqMax)
      .meta({ description: 'The `seq` of the snapshot that is answered', examples: [2] }),
    stepId: textSchema({ min: 1, max: stepIdCharactersMax }).meta({
      description: 'The `input.stepId` of that snapshot',
      examples: ['score'],
    }),
    answer,
  })
  .meta({ id: 'Message' });

const revision = z
  .strictObject({
    ...message.shape,
    clientMessageId: message.shape.clientMessageId.meta({
      description: 'The same id and revision again get the stored outcome',
      examples: ['message-2'],
    }),
    stepId: textSchema({ min: 1, max: stepIdCharactersMax }).meta({
      description: 'The `stepId` of an entry that has `canRevise`',
      examples: ['score'],
    }),
  })
  .meta({ id: 'Revision' });

const beginning = z
  .strictObject({
    locale: locale.optional(),
  })
  .optional();

const oneConversation = inWorkspace.extend({
  interactionId: id.meta({ description: 'The id of the interaction' }),
});
const path = '/public/v1/workspaces/{workspaceId}/conversations/{interactionId}';

/**
 * Waits for news of a conversation. Returns it unchanged if a newer poll or the gateway's stop ends the wait, or if the
 * service does not answer in time: a replica that takes over from a frozen one waits from the beginning.
 */
async function poll(
  request: GetConversationRequest,
  call: SessionCall,
  { conversations, polls }: RouteDeps,
): Promise<Sealed<Snapshot>> {
  using open = polls.open(call.sessionName, request.interactionId);
  try {
    const options = call.poll(request.waitSeconds, open.replaced);
    return await conversations.getConversation(request, options);
  } catch (error) {
    const isOver = open.replaced.aborted || toAppError(error).code === 'deadline_exceeded';
    if (!call.isStopping() && !isOver) throw error;
    return conversations.getConversation({ ...request, waitSeconds: 0 }, call.rpc());
  }
}

const getConversation = route({
  method: 'GET',
  path,
  access: 'session',
  origins: 'workspace',
  limit: 'conversation',
  waits: ({ query }) => query.wait > 0,
  operationId: 'getConversation',
  clientMethod: 'getConversation',
  tag: 'Conversations',
  summary: 'Get the conversation; waits up to `wait` seconds for entries newer than `after`',
  description:
    'One call of a session waits for a conversation at a time. A newer call ends the older one, which returns the ' +
    'conversation unchanged.',
  params: oneConversation,
  query: z.object({
    after: wholeNumber(0, seqMax)
      .default(0)
      .meta({ description: 'Entries after this number only; all if a revision has withdrawn some since' }),
    wait: wholeNumber(0, interactionLimits.waitSecondsMax)
      .default(0)
      .meta({ description: 'How many seconds to wait for something newer than `after`' }),
    revisedStepId: textSchema({ min: 1, max: stepIdCharactersMax }).optional().meta({
      description:
        'The `input` is the question of this step, with its answer as `prefill`, if that can be revised',
    }),
  }),
  data: snapshot,
  handle: async ({ params: { interactionId }, query }, call, deps) => {
    const { after, wait: waitSeconds, revisedStepId } = query;
    const request = { session: call.session, interactionId, after, waitSeconds, revisedStepId };
    const read =
      waitSeconds > 0 ? poll(request, call, deps) : deps.conversations.getConversation(request, call.rpc());
    return { data: toSnapshot(await read, ownConversation) };
  },
});

const startConversation = route({
  method: 'POST',
  path: `${path}/start`,
  access: 'session',
  origins: 'workspace',
  limit: 'conversation',
  operationId: 'startConversation',
  clientMethod: 'startConversation',
  tag: 'Conversations',
  summary: 'Start the conversation; one in progress is returned unchanged',
  description: `A body is optional. Texts are in the language of \`locale\` if the bot has them, else in its own.

${publicBodyLimit}`,
  errors: ['conversation-ended', 'not-available-yet', 'lost-race'],
  params: oneConversation,
  body: beginning,
  data: snapshot,
  handle: async ({ params: { interactionId }, body }, call, { conversations }) => {
    const request = { session: call.session, interactionId, locale: body?.locale };
    return { data: toSnapshot(await conversations.startConversation(request, call.rpc()), ownConversation) };
  },
});

const postMessage = route({
  method: 'POST',
  path: `${path}/messages`,
  access: 'session',
  origins: 'workspace',
  limit: 'messages',
  operationId: 'postMessage',
  clientMethod: 'postMessage',
  tag: 'Conversations',
  summary: 'Answer the current step',
  description: publicBodyLimit,
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
  handle: ({ params: { interactionId }, body }, call, deps) => post(interactionId, body, call, deps),
});

const reviseAnswer = route({
  method: 'POST',
  path: `${path}/revise`,
  access: 'session',
  origins: 'workspace',
  limit: 'messages',
  operationId: 'reviseAnswer',
  clientMethod: 'reviseAnswer',
  tag: 'Conversations',
  summary: 'Replace the answer to an earlier step',
  description: `The conversation continues at the first question without an answer. Answers that the new course does not
come to, and texts of the bot, are \`withdrawn\`. At most ${conversationLimits.revisionsMax} times in a conversation.

${publicBodyLimit}`,
  errors: [
    'not-started',
    'stale-sequence',
    'client-message-id-reused',
    'lost-race',
    'conversation-ended',
    'unanswerable-answer',
    'revising-off',
  ],
  params: oneConversation,
  body: revision,
  data: snapshot,
  handle: ({ params: { interactionId }, body }, call, deps) =>
    post(interactionId, { ...body, revises: true }, call, deps),
});

/** Posts a message or a revision. */
async function post(
  interactionId: string,
  body: z.output<typeof message> & { revises?: true },
  call: SessionCall,
  { conversations }: RouteDeps,
): Promise<{ data: z.output<typeof snapshot>; error?: AppError }> {
  const request = {
    session: call.session,
    interactionId,
    ...body,
    answer: toAnswer(body.answer),
  };
  const posted = await conversations.postMessage(request, call.rpc());
  const data = toSnapshot(required(posted.snapshot), ownConversation);
  return posted.stale ? { data, error: stale() } : { data };
}

const getPending = route({
  method: 'GET',
  path: '/public/v1/workspaces/{workspaceId}/pending',
  access: 'session',
  origins: 'workspace',
  limit: 'pending',
  operationId: 'getPending',
  clientMethod: 'getPending',
  tag: 'Conversations',
  summary: 'Get the best waiting interaction of the session, or null',
  params: inWorkspace,
  query: z.object({ locale: locale.optional() }),
  data: pending.nullable(),
  handle: async ({ query }, call, { conversations }) => {
    const request = { session: call.session, locale: query.locale };
    const answer = await conversations.getPending(request, call.rpc());
    return { data: answer.pending && toPending(answer.pending, ownConversation) };
  },
});

export const conversationRoutes: Route[] = [
  getConversation,
  startConversation,
  postMessage,
  reviseAnswer,
  getPending,
];

function toAnswer({ value, text: words }: z.output<typeof answer>): PostMessageRequest['answer'] {
  if (value !== undefined) return { $case: 'valueJson', value: JSON.stringify(value) };
  return words === undefined ? { $case: 'skip', value: true } : { $case: 'text', value: words };
}

function stale(): AppError {
  return new AppError(
    'failed_precondition',
    'stale-sequence',
    'The conversation has moved on: answer the current question',
  );
}
