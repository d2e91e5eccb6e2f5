import { type Answer, type ReceivedRequest, startReceiver } from './receiver.ts';

/** A message of the chat completions protocol. */
export interface AskedMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A question as the endpoint got it. */
export interface AskedQuestion {
  request: ReceivedRequest;
  model: string;
  messages: AskedMessage[];
  temperature?: number;
  /** Absent when no form was asked for. */
  response_format?: { type: string; json_schema: { strict: boolean; schema: object } };
}

/** What the model says: a JSON value, which it writes as it is, or an HTTP answer of any other kind. */
export type Said = { says: unknown } | Answer;

/** A language model of a test, behind the protocol that OpenAI has made common. */
export interface ModelEndpoint extends AsyncDisposable {
  /** For `LLM_BASE_URL`. */
  baseUrl: string;
  /** What it was asked, in order. */
  questions: AskedQuestion[];
}

/** Starts an endpoint on a free loopback port that answers each question as `respond` says. */
export async function startModelEndpoint(
  respond: (question: AskedQuestion, index: number) => Said | Promise<Said>,
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

/** The answer of an endpoint whose model has written that text. */
export function completion(content: string | null): Answer {
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
