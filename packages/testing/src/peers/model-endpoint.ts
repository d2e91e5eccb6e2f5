import { type ReceiverAnswer, type ReceivedRequest, startReceiver } from './receiver.ts';

/** A message of the chat completions protocol. */
export interface AskedMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A received question. */
export interface AskedQuestion {
  request: ReceivedRequest;
  model: string;
  messages: AskedMessage[];
  temperature?: number;
  /** Absent without a requested format. */
  response_format?: { type: string; json_schema: { strict: boolean; schema: object } };
}

/** The model's answer as a JSON value, or any other HTTP answer. */
export type ModelReply = { says: unknown } | ReceiverAnswer;

/** A language model for tests, with the chat completions protocol of OpenAI. */
export interface ModelEndpoint extends AsyncDisposable {
  /** For `LLM_BASE_URL`. */
  baseUrl: string;
  /** The questions in order. */
  questions: AskedQuestion[];
}

/** Starts an endpoint on a free loopback port. `respond` returns its answers. */
export async function startModelEndpoint(
  respond: (question: AskedQuestion, index: number) => ModelReply | Promise<ModelReply>,
): Promise<ModelEndpoint> {
  const questions: AskedQuestion[] = [];
  const receiver = await startReceiver(async (request) => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return { status: 404 };
    const asked = JSON.parse(request.body.toString()) as Omit<AskedQuestion, 'request'>;
    const question = { ...asked, request };
    const said = await respond(question, questions.push(question) - 1);
    return said !== 'hang' && 'says' in said ? completion(JSON.stringify(said.says)) : said;
  });
  return {
    baseUrl: new URL('/v1', receiver.url).href,
    questions,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

export function completion(content: string | readonly object[] | null): ReceiverAnswer {
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content } };
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'of a test',
    choices: [choice],
  };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
