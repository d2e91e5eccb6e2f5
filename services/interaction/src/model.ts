import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModelQuestion } from '@parley/bot/model-question';
import type { Logger } from '@parley/runtime/logger';
import { retryAfterMs } from '@parley/runtime/retry-after';
import { z } from 'zod';
import { rememberRefusals } from './refusals.ts';

/** Where the model is, and which one it is. */
export interface ModelConfig {
  /** The base of an endpoint of the OpenAI protocol, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; undefined where none is needed. */
  apiKey: string | undefined;
  model: string;
}

/** A language model behind an endpoint of the OpenAI protocol. */
export interface Model {
  /**
   * What the model answers, as text. Throws `ModelFault` when none came by `untilMs` (epoch), and the signal's reason when it
   * aborts. What may pass, 429 and 5xx and a broken connection, is tried again twice, as long as there is time. Any other
   * error is a bug of ours, and thrown as it is.
   */
  ask(question: ModelQuestion, untilMs: number, signal: AbortSignal): Promise<string>;
}

/**
 * Why there is no answer: a word for the log, without anything that was sent or came back; for `network` with the code of
 * what has broken, such as `ENOTFOUND`, where it has one.
 */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly code: string | undefined;

  constructor(fault: string, code?: string) {
    super(fault);
    this.code = code;
  }
}

/** Of an answer with its envelope; what a step can keep is a thousandth of it. */
const answerBytesMax = 256 * 1024;
const retriesMax = 2;
const retryDelayMs = 300;

/** An endpoint may learn to take what it has refused, or have refused something else. */
const refusalKeptMs = 10 * 60_000;
const refusalsMax = 500;

/** What a question is sent with, besides the messages. */
type Option = 'temperature' | 'response_format';

/**
 * The client of an endpoint. It follows no redirects. Not every endpoint, nor every model, takes more than the messages:
 * what is refused (400, 422) is sent again without the temperature, then without the schema too. What has helped is
 * remembered for a while: of the temperature for all questions, of a schema for that very schema.
 */
export function openModel(config: ModelConfig, logger: Pick<Logger, 'warn'>): Model {
  const url = `${config.baseUrl.replace(/\/+$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    ...(config.apiKey !== undefined && { authorization: `Bearer ${config.apiKey}` }),
  };
  const refusals = rememberRefusals(refusalKeptMs, refusalsMax);
  const told = new Set<Option>();

  /** By what the refusal of an option is remembered. */
  const keyOf = (option: Option, { schema }: ModelQuestion): string =>
    option === 'temperature' ? option : createHash('sha256').update(JSON.stringify(schema)).digest('base64');

  const noteRefusal = (option: Option, question: ModelQuestion): void => {
    refusals.add(keyOf(option, question));
    if (told.has(option)) return;
    told.add(option);
    logger.warn({ option }, 'the endpoint of the model refuses an option');
  };

  const post = (
    { messages, schema }: ModelQuestion,
    options: Option[],
    signal: AbortSignal,
  ): Promise<Response> => {
    const values = {
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    };
    const chosen = Object.fromEntries(options.map((option) => [option, values[option]]));
    const body = JSON.stringify({ model: config.model, messages, ...chosen });
    return fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  };

  const postWhatIsTaken = async (question: ModelQuestion, signal: AbortSignal): Promise<Response> => {
    const options = (['temperature', 'response_format'] as const).filter(
      (option) => !refusals.has(keyOf(option, question)),
    );
    let response = await post(question, options, signal);
    while (options.length > 0 && (response.status === 400 || response.status === 422)) {
      await response.body?.cancel();
      const left = options.shift();
      response = await post(question, options, signal);
      // The last that was left out is the one that has helped; of those before nothing is known.
      if (response.ok && left !== undefined) noteRefusal(left, question);
    }
    return response;
  };

  const attempt = async (question: ModelQuestion, signal: AbortSignal): Promise<string | Retry> => {
    const response = await postWhatIsTaken(question, signal);
    if (response.ok) return contentOf(await readText(response));
    await response.body?.cancel();
    const { status } = response;
    if (status !== 429 && status < 500) throw new ModelFault(`http_${status}`);
    const afterMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
    return { fault: `http_${status}`, afterMs };
  };

  return {
    ask: async (question, untilMs, stop) => {
      const leftMs = (): number => Math.max(0, untilMs - Date.now());
      const signal = AbortSignal.any([stop, AbortSignal.timeout(leftMs())]);
      for (let retries = 0; ; retries += 1) {
        const outcome = await attempt(question, signal).catch((error: unknown): Retry => {
          stop.throwIfAborted();
          if (error instanceof ModelFault) throw error;
          if (signal.aborted) throw new ModelFault('timeout');
          const broken = brokenConnection(error);
          if (!broken) throw error;
          return { fault: 'network', code: broken.code, afterMs: undefined };
        });
        if (typeof outcome === 'string') return outcome;
        const waitMs = outcome.afterMs ?? retryDelayMs * 2 ** retries;
        if (retries === retriesMax || waitMs >= leftMs()) throw new ModelFault(outcome.fault, outcome.code);
        await delay(waitMs, undefined, { signal: stop });
      }
    },
  };
}

/** A try that failed and may be made again. */
interface Retry {
  fault: string;
  /** Of a broken connection, where it has one. */
  code?: string | undefined;
  /** As the endpoint has said; undefined when it has not, and it is for us to choose. */
  afterMs: number | undefined;
}

/**
 * What broke a connection: `fetch`, and the reading of a body, throw a TypeError with that as its cause. Undefined for other
 * errors; a cause that is a TypeError itself is about arguments, not about a connection.
 */
function brokenConnection(error: unknown): { code: string | undefined } | undefined {
  const cause = error instanceof TypeError ? error.cause : undefined;
  if (!(cause instanceof Error) || cause instanceof TypeError) return undefined;
  return { code: 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined };
}

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

function contentOf(body: string): string {
  try {
    const [choice] = completion.parse(JSON.parse(body)).choices;
    if (choice?.message.content.trim()) return choice.message.content;
  } catch {
    throw new ModelFault('malformed');
  }
  throw new ModelFault('empty');
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new ModelFault('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
