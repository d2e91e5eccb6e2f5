import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message, Snapshot } from '@parley/client/public';

export interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  bearer: string | undefined;
  body: unknown;
}

/** Returns another answer to a request; undefined for the usual one. */
export type Fault = (request: Request) => Answer | 'cut' | 'lose' | undefined;

interface Answer {
  status: number;
  type?: string;
  detail?: string;
  data?: unknown;
  headers?: Record<string, string>;
}

const workspaceId = 'w';
/** The only interaction. */
export const interactionId = 'i';

/**
 * The public API for one interaction with two questions, in memory, over real HTTP: stored
 * answers, replays, stale sequences and long polls work as documented.
 */
export async function startConversationServer() {
  const requests: Request[] = [];
  const faults: Fault[] = [];
  const waiters = new Set<() => void>();
  const taken = new Map<string, string>();
  const questions = ['score', 'why'];
  let status: Snapshot['status'] = 'Pending';
  let entries: Snapshot['entries'] = [];
  let answered = 0;
  const live = new Set<string | undefined>();
  let expiresIn = 900;
  let open = 0;
  let isSilent = false;

  const changed = (): void => {
    if (isSilent) return;
    for (const wake of waiters) wake();
  };
  /** Waits for a change, as long as the client waits for the answer. */
  const news = (response: ServerResponse): Promise<void> =>
    new Promise((resolve) => {
      if (response.destroyed) return resolve();
      const wake = (): void => {
        waiters.delete(wake);
        resolve();
      };
      waiters.add(wake);
      response.once('close', wake);
    });
  const say = (type: 'bot' | 'customer', body: string): void => {
    entries = [...entries, { seq: entries.length + 1, type, body, timestamp: Date.now() / 1000 }];
  };
  const snapshot = (after = 0): Snapshot => ({
    status,
    seq: entries.length,
    entries: entries.filter(({ seq }) => seq > after),
    input:
      status === 'InProgress' ? { stepId: questions[answered] ?? '', type: 'text', required: true } : null,
    awaiting: null,
    progress: answered / questions.length,
    expiresAt: null,
    botName: 'Bot, renamed',
  });
  const isOpen = (): boolean => status === 'Pending' || status === 'InProgress';
  const start = (): void => {
    if (status !== 'Pending') return;
    status = 'InProgress';
    say('bot', 'Hello');
    say('bot', 'score?');
    changed();
  };
  const answer = ({ clientMessageId, ...message }: Message): Answer => {
    const content = JSON.stringify(message);
    if (taken.get(clientMessageId) === content) return { status: 200, data: snapshot() };
    if (taken.has(clientMessageId)) return { status: 409, type: 'client-message-id-reused' };
    if (!isOpen()) return { status: 410, type: 'conversation-ended' };
    if (message.expectedSeq !== entries.length) {
      return { status: 409, type: 'stale-sequence', data: snapshot() };
    }
    if (message.answer.text === 'nonsense') {
      return { status: 422, type: 'unanswerable-answer', detail: 'must be sensible' };
    }
    taken.set(clientMessageId, content);
    say('customer', String(message.answer.text ?? message.answer.value));
    answered += 1;
    if (answered === questions.length) status = 'Completed';
    say('bot', questions[answered] ? `${questions[answered]}?` : 'Bye');
    changed();
    return { status: 200, data: snapshot() };
  };

  const newSession = (): string => {
    const token = crypto.randomUUID();
    live.add(token);
    return token;
  };

  const usual = async (request: Request, response: ServerResponse): Promise<Answer> => {
    const { method, path, query, body, bearer } = request;
    if (path.endsWith('/sessions')) {
      return { status: 200, data: { sessionToken: newSession(), expiresIn, pollAfter: 60 } };
    }
    if (path.endsWith('/link-sessions')) {
      if ((body as { token: string }).token !== 'good') return { status: 404, type: 'not-found' };
      const sessionToken = newSession();
      return { status: 200, data: { sessionToken, workspaceId, interactionId, status, botName: 'Bot' } };
    }
    if (!live.has(bearer)) return { status: 401, type: 'invalid-session' };
    if (path.endsWith('/pending')) return { status: 200, data: null };
    if (!path.includes(`/conversations/${interactionId}`)) return { status: 404, type: 'not-found' };
    if (path.endsWith('/start')) {
      if (!isOpen()) return { status: 410, type: 'conversation-ended' };
      start();
      return { status: 200, data: snapshot() };
    }
    if (method === 'POST') return answer(body as Message);
    const after = Number(query.get('after'));
    if (entries.length <= after && isOpen() && Number(query.get('wait')) > 0) await news(response);
    return { status: 200, data: snapshot(after) };
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1;
    response.once('close', () => (open -= 1));
    const url = new URL(incoming.url ?? '', 'http://localhost');
    const text = (await incoming.toArray()).join('');
    const request: Request = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      bearer: incoming.headers.authorization?.replace('Bearer ', ''),
      body: text ? JSON.parse(text) : undefined,
    };
    requests.push(request);
    const fault = faults.map((one) => one(request)).find(Boolean);
    if (fault === 'cut') return void response.destroy();
    const given = fault && fault !== 'lose' ? fault : await usual(request, response);
    if (fault === 'lose') return void response.destroy();
    const { status: code, type = '', detail = '', data = null, headers = {} } = given;
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(
      JSON.stringify({ success: code === 200, code, detail, data, meta: null, type, requestId: 'r' }),
    );
  };

  const server = createServer((incoming, response) => void serve(incoming, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    workspaceId,
    requests,
    /** Requests without an answer so far. */
    openCount: () => open,
    /** Long polls that are waiting for a change. */
    polls: () => waiters.size,
    /** Takes effect until the returned function is called. */
    fault: (fault: Fault) => {
      faults.push(fault);
      return () => void faults.splice(faults.indexOf(fault), 1);
    },
    taken,
    start,
    /** Another browser of the customer answers. */
    answerElsewhere: (text: string) =>
      answer({
        clientMessageId: `elsewhere-${entries.length}`,
        expectedSeq: entries.length,
        stepId: questions[answered] ?? '',
        answer: { text },
      }),
    /** The bot adds a text and asks the same again. */
    sayElsewhere: (body: string) => {
      say('bot', body);
      changed();
    },
    end: (how: 'Completed' | 'Expired') => {
      status = how;
      changed();
    },
    /** Stops notifying waiting polls. */
    silence: () => {
      isSilent = true;
    },
    endSessions: () => live.clear(),
    setExpiresIn: (seconds: number) => {
      expiresIn = seconds;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The result of `startConversationServer`. */
export type ConversationServer = Awaited<ReturnType<typeof startConversationServer>>;
