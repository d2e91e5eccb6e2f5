import { randomBytes } from 'node:crypto';
import {
  type Customer,
  CustomerServiceService,
  type EnsureCustomerRequest,
  type GetCustomerRequest,
} from '@parley/contracts/customer/v1/customer';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import {
  ConversationServiceService,
  type Session,
  type Snapshot,
} from '@parley/contracts/interaction/v1/conversation';
import { type Interaction, InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { openDatabase } from '@parley/postgres/open';
import { connect } from '@parley/rpc/connect';
import type { Handlers } from '@parley/rpc/definition';
import { serve, service } from '@parley/rpc/serve';
import { AppError, notFound } from '@parley/runtime/errors';
import { createDatabase } from '@parley/testing/database';
import { quietLogger } from '@parley/testing/quiet';
import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../src/config.ts';
import type { Tables } from '../src/schema.ts';
import { start } from '../src/service.ts';

const rpcToken = 'a-token-of-our-services';
const operatorToken = 'a-token-of-the-operator';
/** Nobody listens there: events stay in the outbox, where they can be counted. */
const nowhere = '127.0.0.1:1';

export const call = { requestId: 'a-test', timeoutMs: 30_000 };

/** The interaction service as a process has it, over gRPC, with a peer that knows the customers it is told of. */
export async function startConversations() {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase('interaction'));
  const { peer, people } = await startCustomers();
  stack.use(peer);
  const linkKeys = `one:${randomBytes(32).toString('base64')}`;
  const startCopy = async () => {
    const config = readConfig({
      LISTEN: '127.0.0.1:0',
      DATABASE_URL: database.url,
      RPC_TOKEN: rpcToken,
      OPERATOR_TOKEN: operatorToken,
      CUSTOMER_ADDRESS: peer.address,
      WEBHOOK_ADDRESS: nowhere,
      NATS_URL: `nats://${nowhere}`,
      LINK_KEYS: linkKeys,
    });
    const running = await start(config, quietLogger);
    const client = connect(running.address, { token: rpcToken });
    return {
      conversations: client.client(ConversationServiceService),
      interactions: client.client(InteractionServiceService),
      bots: client.client(BotServiceService),
      [Symbol.asyncDispose]: async () => {
        await running[Symbol.asyncDispose]();
        client[Symbol.dispose]();
      },
    };
  };
  const copy = stack.use(await startCopy());
  const { db } = stack.use(
    openDatabase<Tables>({ url: database.url, logger: quietLogger, connectionsMax: 2 }),
  );
  return { ...copy, startCopy, db, people, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

export type Conversations = Awaited<ReturnType<typeof startConversations>>;

/** A workspace of its own within the service, with what a test does there. */
export function workspaceOf(
  { bots, interactions, conversations, db }: Conversations,
  workspaceId = uuidv7(),
) {
  return {
    workspaceId,
    publish: async (definition: unknown): Promise<string> => {
      const request = { workspaceId, definition: JSON.stringify(definition), idempotency: null };
      const { bot } = await bots.createBot(request, call);
      return bot?.id ?? '';
    },
    create: async (
      botId: string,
      given: { customerId?: string; context?: Record<string, string>; expirySeconds?: number } & Partial<
        Pick<Interaction, 'status' | 'priority'>
      > = {},
    ): Promise<Interaction> => {
      const {
        customerId = 'ada',
        status = 'Pending',
        priority = 'Medium',
        expirySeconds,
        context = {},
      } = given;
      const entries = Object.entries(context).map(([key, value]) => ({ key, value }));
      const request = {
        workspaceId,
        botId,
        customerId,
        status,
        priority,
        expirySeconds,
        context: entries,
        idempotency: null,
      };
      const { interaction } = await interactions.createInteraction(request, call);
      if (!interaction) throw new Error('no interaction was made');
      return interaction;
    },
    change: (
      id: string,
      change: { status?: Interaction['status']; priority?: Interaction['priority']; expirySeconds?: number },
    ) => interactions.updateInteraction({ workspaceId, id, ...change }, call),
    get: (id: string) => interactions.getInteraction({ workspaceId, id }, call),
    session: (customerId = 'ada', issuedAt = new Date()): Session => ({
      workspaceId,
      subject: { $case: 'customerId', value: customerId },
      issuedAt,
    }),
    linkSession: (interactionId: string, linkVersion = 1, issuedAt = new Date()): Session => ({
      workspaceId,
      subject: { $case: 'interaction', value: { interactionId, linkVersion } },
      issuedAt,
    }),
    read: (session: Session, interactionId: string, { after = 0, waitSeconds = 0, signal }: Reading = {}) =>
      conversations.getConversation(
        { session, interactionId, after, waitSeconds },
        { ...call, ...(signal && { signal }) },
      ),
    begin: (session: Session, interactionId: string) =>
      conversations.startConversation({ session, interactionId }, call),
    post: async (session: Session, interactionId: string, message: Message) => {
      const { stepId, seq, id = uuidv7(), answer } = message;
      const request = {
        session,
        interactionId,
        clientMessageId: id,
        expectedSeq: seq,
        stepId,
        answer: answerOf(answer),
      };
      const { snapshot, stale } = await conversations.postMessage(request, call);
      if (!snapshot) throw new Error('no snapshot was answered');
      return { snapshot, stale };
    },
    /** How many completions of the interaction are announced. */
    outbox: async (interactionId: string): Promise<number> => {
      const rows = await db
        .selectFrom('outbox')
        .select('eventId')
        .where('workspaceId', '=', workspaceId)
        .where('eventId', '=', interactionId)
        .execute();
      return rows.length;
    },
  };
}

export type Workspace = ReturnType<typeof workspaceOf>;

export type Answer = { value: unknown } | { text: string } | { skip: true };

interface Message {
  seq: number;
  stepId: string;
  answer: Answer;
  /** The clientMessageId; a new one when absent. */
  id?: string;
}

interface Reading {
  after?: number;
  waitSeconds?: number;
  signal?: AbortSignal;
}

/** The step that the snapshot asks. */
export function asked(snapshot: Snapshot): string {
  if (!snapshot.inputJson) throw new Error('nothing is asked');
  return (JSON.parse(snapshot.inputJson) as { stepId: string }).stepId;
}

/** The error that the call ends with, as its caller sees it. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<{ code: string; type: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, type: error.type, message: error.message };
    throw error;
  }
  throw new Error('the call was answered');
}

function answerOf(answer: Answer) {
  if ('value' in answer) return { $case: 'valueJson' as const, value: JSON.stringify(answer.value) };
  if ('text' in answer) return { $case: 'text' as const, value: answer.text };
  return { $case: 'skip' as const, value: true };
}

/** A customer service that makes up whoever it is asked to ensure, and counts how often details were read. */
async function startCustomers() {
  const people = new Map<string, Partial<Customer>>();
  const find = ({ id }: { id: string }): Customer | undefined => {
    const person = people.get(id);
    return person && { id, firstName: '', lastName: '', email: '', version: 1, ...person };
  };
  const unused = async (): Promise<never> => {
    throw new Error('the interaction service never calls this');
  };
  const handlers: Handlers<typeof CustomerServiceService> = {
    ensureCustomer: async (request: EnsureCustomerRequest) => {
      if (!people.has(request.id)) people.set(request.id, {});
      return find(request) ?? unused();
    },
    getCustomer: async (request: GetCustomerRequest) => {
      const found = find(request);
      if (!found) throw notFound();
      return found;
    },
    createCustomer: unused,
    listCustomers: unused,
    updateCustomer: unused,
    anonymiseCustomer: unused,
  };
  const peer = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [service(CustomerServiceService, handlers)],
    tokens: { service: rpcToken, operator: operatorToken },
    logger: quietLogger,
    isReady: async () => true,
  });
  return { peer, people };
}
