import {
  type CallOptions,
  type ChangeOptions,
  type Connection,
  connect,
  type CreateOptions,
  type Send,
} from './call.ts';
import type {
  BotDefinition,
  BrandingChange,
  CustomerChange,
  InteractionChange,
  NewCustomer,
  NewInteraction,
  Operations,
} from './gen/api.ts';
import { readList } from './list.ts';
import { checkBaseUrl } from './request.ts';
import { webhookCalls } from './webhook-calls.ts';

export type { Answer } from './answer.ts';
export type { Call, CallOptions, ChangeOptions, Connection, CreateOptions } from './call.ts';
export { ParleyError } from './error.ts';
export { instant } from './instant.ts';
export type * from './gen/api.ts';
export type { List, Page } from './list.ts';
export type { Message, MessageAnswer } from './message.ts';

/** The API under a key. */
export interface ClientOptions extends Connection {
  apiKey: string;
  apiSecret: string;
}

/** The calls inside one workspace. */
export type WorkspaceClient = ReturnType<typeof inWorkspace>;

type BotQuery = NonNullable<Operations['listBots']['input']['query']>;
type CustomerQuery = NonNullable<Operations['listCustomers']['input']['query']>;
type InteractionQuery = NonNullable<Operations['listInteractions']['input']['query']>;

/**
 * A client of the API under a key. For servers: a secret does not belong into a browser. Calls reject with a
 * ParleyError, with the reason of their signal, or with a TypeError for arguments that cannot be sent. Throws a TypeError
 * for options that cannot be kept to, such as a base URL that is none.
 */
export function createClient(options: ClientOptions) {
  checkBaseUrl(options.baseUrl);
  const send = connect(options, `Basic ${btoa(`${options.apiKey}:${options.apiSecret}`)}`);
  return {
    workspaces: {
      /** Those that the key can access. */
      list: (options?: CallOptions) => readList(send, 'listWorkspaces', {}, options),
      get: (workspaceId: string, options?: CallOptions) =>
        send('getWorkspace', { params: { workspaceId } }, options),
    },
    /** The calls inside this workspace. Asks for nothing by itself. */
    workspace: (workspaceId: string) => inWorkspace(send, workspaceId),
  };
}

function inWorkspace(send: Send, workspaceId: string) {
  const params = { workspaceId };
  return {
    branding: {
      get: (options?: CallOptions) => send('getBranding', { params }, options),
      /** What is absent stays, and null clears. */
      update: (body: BrandingChange, options?: ChangeOptions) =>
        send('updateBranding', { params, body }, options),
    },
    customers: {
      /** Oldest first. */
      list: (query: CustomerQuery = {}, options?: CallOptions) =>
        readList(send, 'listCustomers', { params, query }, options),
      /** With its interactions, newest first. */
      get: (customerId: string, options?: CallOptions) =>
        send('getCustomer', { params: { ...params, customerId } }, options),
      create: (body: NewCustomer, options?: CreateOptions) =>
        send('createCustomer', { params, body }, options),
      update: (customerId: string, body: CustomerChange, options?: ChangeOptions) =>
        send('updateCustomer', { params: { ...params, customerId }, body }, options),
      /** Removes the personal details from every copy; the history stays. */
      anonymise: (customerId: string, options?: CallOptions) =>
        send('anonymiseCustomer', { params: { ...params, customerId } }, options),
      /** A token with which the customer's browser opens a session. */
      createToken: (customerId: string, options?: CallOptions) =>
        send('createCustomerToken', { params: { ...params, customerId } }, options),
    },
    interactions: {
      /** Newest first. */
      list: (query: InteractionQuery = {}, options?: CallOptions) =>
        readList(send, 'listInteractions', { params, query }, options),
      get: (interactionId: string, options?: CallOptions) =>
        send('getInteraction', { params: { ...params, interactionId } }, options),
      /** Creates its customer too when there is none. Takes either `botId` or `botKey`. */
      create: (body: NewInteraction, options?: CreateOptions) =>
        send('createInteraction', { params, body }, options),
      update: (interactionId: string, body: InteractionChange, options?: ChangeOptions) =>
        send('updateInteraction', { params: { ...params, interactionId }, body }, options),
    },
    bots: {
      /** Oldest first; with a `key`, the bot that has it, or none. */
      list: (query: BotQuery = {}, options?: CallOptions) =>
        readList(send, 'listBots', { params, query }, options),
      get: (botId: string, options?: CallOptions) =>
        send('getBot', { params: { ...params, botId } }, options),
      create: (definition: BotDefinition, options?: CreateOptions) =>
        send('createBot', { params, body: definition }, options),
      publishVersion: (botId: string, definition: BotDefinition, options?: CreateOptions) =>
        send('publishBotVersion', { params: { ...params, botId }, body: definition }, options),
      /** Newest first. */
      listVersions: (botId: string, options?: CallOptions) =>
        readList(send, 'listBotVersions', { params: { ...params, botId } }, options),
    },
    webhooks: webhookCalls(send, workspaceId),
    keys: {
      /** Replaces the key's secret. Sent once, whatever happens. This client holds the old one: make another. */
      rotateApiKeySecret: (options?: CallOptions) => send('rotateApiKeySecret', { params }, options),
      /** Makes another SDK secret; the one before goes on working. Sent once, whatever happens. */
      rotateSdkSecret: (options?: CallOptions) => send('rotateSdkSecret', { params }, options),
    },
  };
}
