import {
  type BotDraft,
  createClient,
  ParleyError,
  type PublishedBot,
  type WorkspaceClient,
} from '@parley/client';
import { splitMembers } from '@parley/runtime/json/json-scan';
import type { Command } from 'commander';
import { Failure, usageFailure } from './failure.ts';
import { print } from './output.ts';
import type { Shell } from './shell.ts';
import type { GlobalOptions } from './target.ts';

export interface ApiOptions extends GlobalOptions {
  url?: string;
  workspace?: string;
}

export interface Api {
  workspace: WorkspaceClient;
  allowedDomains(): Promise<string[]>;
  setAllowedDomains(domains: string[]): Promise<void>;
  /** Undefined if the workspace has no bot with this key. */
  findBot(key: string): Promise<string | undefined>;
  /** As `findBot`. Throws a `Failure` without such a bot. */
  botId(key: string): Promise<string>;
  /** Returns a version of a bot, by default the live one, with its definition byte for byte. */
  readVersion(id: string, version?: number): Promise<{ version: number; digest: string; text: string }>;
  /** Publishes a definition byte for byte: of a new bot without `id`. */
  publish(text: string, id: string | undefined, fields: object): Promise<PublishedBot>;
  /** Returns the draft of a bot with its definition byte for byte. */
  readDraft(id: string): Promise<{ draft: BotDraft; text: string }>;
  /** Saves a definition byte for byte. Without `replaces`, there must be no draft so far. */
  saveDraft(text: string, id: string, replaces: boolean): Promise<BotDraft>;
}

export const apiHelp = `
The command calls the API at --url (or PARLEY_URL) with the key in PARLEY_API_KEY and
PARLEY_API_SECRET. A key for several workspaces needs --workspace (or PARLEY_WORKSPACE).`;

interface ApiCall<Options> {
  options: Options & ApiOptions;
  /** As `openApi`. */
  open(settings?: { retries?: number }): Promise<Api>;
  /** Prints the result: with `--json` the value, else the text. */
  print(value: unknown, text: string): void;
}

/** Makes a command call the API: adds the options of `openApi` and their help. `run` also gets its arguments. */
export function apiCommand<Options = object>(
  command: Command,
  shell: Shell,
  run: (call: ApiCall<Options>, ...args: never[]) => Promise<void>,
): void {
  command
    .option('--url <url>', 'the address of the API, such as https://api.example.com (PARLEY_URL)')
    .option('--workspace <id>', 'the workspace (PARLEY_WORKSPACE, else the only one of the key)')
    .addHelpText('after', apiHelp)
    .action(async () => {
      const options = command.optsWithGlobals<Options & ApiOptions>();
      const call: ApiCall<Options> = {
        options,
        open: (settings) => openApi(options, shell, settings),
        print: (value, text) => print(shell, options.json, value, text),
      };
      await run(call, ...(command.processedArgs as never[]));
    });
}

/** Adds `--yes` to a command, which fails without it: `why` says what the command does. */
export function needsYes(command: Command, why: string): Command {
  return command.option('--yes', 'really').hook('preAction', () => {
    if (!command.opts<{ yes?: true }>().yes) throw usageFailure(why);
  });
}

/**
 * Returns the API that the options and variables name. `retries` is an option of the client. Throws a `Failure` that
 * names what is missing.
 */
export async function openApi(
  options: ApiOptions,
  shell: Shell,
  { retries }: { retries?: number } = {},
): Promise<Api> {
  const baseUrl = options.url ?? shell.env['PARLEY_URL'];
  if (!baseUrl) throw usageFailure('the address of the API is missing: pass --url URL, or set PARLEY_URL');
  const [apiKey, apiSecret] = [shell.env['PARLEY_API_KEY'], shell.env['PARLEY_API_SECRET']];
  if (!apiKey || !apiSecret) throw usageFailure('set PARLEY_API_KEY and PARLEY_API_SECRET to an API key');
  const exact = exactBodies();
  const client = clientOf({
    baseUrl,
    apiKey,
    apiSecret,
    fetch: exact.fetch,
    ...(retries !== undefined && { retries }),
  });
  const given = options.workspace ?? shell.env['PARLEY_WORKSPACE'];
  const workspaceId = given || (await onlyWorkspace(client));
  const workspace = client.workspace(workspaceId);
  const findBot: Api['findBot'] = async (key) => (await called(workspace.bots.list({ key }))).data[0]?.id;
  return {
    workspace,
    allowedDomains: async () => (await called(client.workspaces.get(workspaceId))).allowedDomains,
    setAllowedDomains: async (allowedDomains) => {
      await called(client.workspaces.setAllowedDomains(workspaceId, { allowedDomains }));
    },
    findBot,
    botId: async (key) => {
      const id = await findBot(key);
      if (id !== undefined) return id;
      throw new Failure(`The workspace has no bot with the key ${key}`, { type: 'not-found' });
    },
    readVersion: async (id, version) => {
      const number = version ?? (await liveVersion(workspace, id));
      const { digest } = await called(workspace.bots.getVersion(id, number));
      return { version: number, digest, text: memberOf(memberOf(exact.received(), 'data'), 'definition') };
    },
    publish: async (text, id, fields) => {
      const members = Object.entries(fields).flatMap(([name, value]) =>
        value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)},`],
      );
      const body = id === undefined ? text : `{${members.join('')}"definition":${text}}`;
      return exact.sending(body, () =>
        called(id === undefined ? workspace.bots.create({}) : workspace.bots.publishVersion(id, {})),
      );
    },
    ...draftsIn(workspace, exact),
  };
}

function draftsIn(
  { bots }: WorkspaceClient,
  { received, sending }: Pick<ReturnType<typeof exactBodies>, 'received' | 'sending'>,
): Pick<Api, 'readDraft' | 'saveDraft'> {
  return {
    readDraft: async (id) => {
      const draft = await called(bots.getDraft(id), 'draft of this bot');
      return { draft, text: memberOf(memberOf(received(), 'data'), 'definition') };
    },
    saveDraft: async (text, id, replaces) => {
      const drafts = replaces ? (await called(bots.listDrafts())).data : [];
      const options = drafts.some(({ botId }) => botId === id) ? { ifMatch: '*' } : {};
      return sending(`{"definition":${text}}`, () => called(bots.saveDraft(id, { definition: {} }, options)));
    },
  };
}

/**
 * Returns a `fetch` for bodies byte for byte. The client writes and reads JSON in its own layout, but a definition
 * keeps the layout of its file.
 */
function exactBodies() {
  let sent: string | undefined;
  let received = '';
  return {
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      const response = await fetch(url, init.body && sent !== undefined ? { ...init, body: sent } : init);
      // A stream can be of any length.
      if (!response.headers.get('content-type')?.startsWith('application/json')) return response;
      received = await response.text();
      return new Response(received, response);
    },
    /** The last answer. */
    received: () => received,
    /** Calls with this body instead of the client's. */
    sending: async <Data>(body: string, call: () => Promise<Data>): Promise<Data> => {
      sent = body;
      try {
        return await call();
      } finally {
        sent = undefined;
      }
    },
  };
}

/** Throws the error of the call as a `Failure`, which names the `resource` if it does not exist. */
export async function called<Data>(call: PromiseLike<Data>, resource?: string): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const { type, detail, errors } = error;
    throw new Failure(messageOf(error), { type, cause: error, ...(errors.length > 0 && { faults: errors }) });

    function messageOf({ status }: ParleyError): string {
      if (type === 'not-found' && resource !== undefined) return `The workspace has no ${resource}`;
      if (status === 401) return 'The API does not accept the key in PARLEY_API_KEY and PARLEY_API_SECRET';
      return status === undefined ? `The API does not answer: ${detail}` : detail;
    }
  }
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function clientOf(options: Parameters<typeof createClient>[0]): ReturnType<typeof createClient> {
  try {
    return createClient(options);
  } catch (error) {
    throw usageFailure(error instanceof Error ? error.message : String(error));
  }
}

async function onlyWorkspace(client: ReturnType<typeof createClient>): Promise<string> {
  const { data } = await called(client.workspaces.list());
  const [first, ...others] = data;
  if (first && others.length === 0) return first.id;
  throw usageFailure(`the key has ${data.length} workspaces: pass --workspace ID`);
}

async function liveVersion(workspace: WorkspaceClient, id: string): Promise<number> {
  const { data } = await called(workspace.bots.listVersions(id));
  const live = data.find(({ isLive }) => isLive);
  if (live) return live.version;
  throw new Failure(`The bot ${id} has no live version`, { type: 'not-found' });
}

function memberOf(json: string, name: string): string {
  return splitMembers(json).find((member) => member.name === name)?.value ?? '';
}
