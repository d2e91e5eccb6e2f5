import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModelQuestion } from '@parley/bot/model-question';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { retryAfterMs } from '@parley/runtime/retry-after';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { recordModelCall } from '../metrics.ts';

export interface ModelConfig {
  /** The base of an endpoint of the OpenAI protocol, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; undefined where none is needed. */
  apiKey: string | undefined;
  model: string;
}

/**
 * Why there is no answer: a word for the log, without any text that was sent or received. `network` has the code of the
 * connection error, such as `ENOTFOUND`, if there is one.
 */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly code: string | undefined;

  constructor(fault: string, code?: string) {
    super(fault);
    this.code = code;
  }
}

/** The limit of an answer with its envelope, in bytes. */
const answerBytesMax = 256 * 1024;
const retriesMax = 2;
const retryDelayMs = 300;

/** Refusals expire: an endpoint may accept an option later, or may have refused for another reason. */
const refusalKeptMs = 10 * 60_000;
const refusalsMax = 500;

type Option = 'temperature' | 'response_format';

/**
 * A language model behind an endpoint of the OpenAI protocol. Follows no redirects. Not every endpoint or model accepts
 * the options: after a 400 or 422, it gets the question without the temperature, then also without the schema. The
 * result is cached for a while: a refused temperature for all questions, a refused schema for that schema.
 */
export class Model {
  readonly #config: ModelConfig;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #refusals = new LRUCache<string, true>({ max: refusalsMax, ttl: refusalKeptMs });
  readonly #logged = new Set<Option>();

  constructor(config: ModelConfig, logger: Pick<Logger, 'warn'>) {
    this.#config = config;
    this.#logger = logger;
  }

  /**
   * Returns the text of the model's answer. Retries 429, 5xx and broken connections twice, within the time limit.
   * Throws `ModelFault` without an answer by `untilMs` (epoch). Rejects when the signal aborts. Any other error is a
   * bug.
   */
  ask(question: ModelQuestion, untilMs: number, stop: AbortSignal): Promise<string> {
    const faultOf = (error: unknown): string => (error instanceof ModelFault ? error.message : '_OTHER');
    return recordModelCall(this.#config.model, () => this.#ask(question, untilMs, stop), faultOf);
  }

  async #ask(question: ModelQuestion, untilMs: number, stop: AbortSignal): Promise<string> {
    const leftMs = (): number => Math.max(0, untilMs - Date.now());
    const signal = AbortSignal.any([stop, AbortSignal.timeout(leftMs())]);
    for (let retries = 0; ; retries += 1) {
      const outcome = await this.#attempt(question, signal).catch((error: unknown): Retry => {
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
  }

  async #attempt(question: ModelQuestion, signal: AbortSignal): Promise<string | Retry> {
    const response = await this.#post(question, signal);
    if (response.ok) return contentOf(await readText(response));
    await response.body?.cancel();
    const { status } = response;
    if (status !== 429 && status < 500) throw new ModelFault(`http_${status}`);
    const afterMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
    return { fault: `http_${status}`, afterMs };
  }

  /** Sends the question with all options that the endpoint accepts. */
  async #post(question: ModelQuestion, signal: AbortSignal): Promise<Response> {
    const options = (['temperature', 'response_format'] as const).filter(
      (option) => !this.#refusals.has(refusalKey(option, question)),
    );
    let response = await this.#postWith(options, question, signal);
    while (options.length > 0 && (response.status === 400 || response.status === 422)) {
      await response.body?.cancel();
      const omitted = options.shift();
      response = await this.#postWith(options, question, signal);
      // Only the option that was omitted last is known to be refused.
      if (response.ok && omitted !== undefined) this.#noteRefusal(omitted, question);
    }
    return response;
  }

  #postWith(options: Option[], { messages, schema }: ModelQuestion, signal: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey, model } = this.#config;
    const values = {
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    };
    const chosen = Object.fromEntries(options.map((option) => [option, values[option]]));
    return fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, messages, ...chosen }),
      redirect: 'manual',
      signal,
    });
  }

  #noteRefusal(option: Option, question: ModelQuestion): void {
    this.#refusals.set(refusalKey(option, question), true);
    if (this.#logged.has(option)) return;
    this.#logged.add(option);
    this.#logger.warn({ option }, 'the endpoint of the model refuses an option');
  }
}

function refusalKey(option: Option, { schema }: ModelQuestion): string {
  return option === 'temperature' ? option : hash('sha256', JSON.stringify(schema), 'base64');
}

/** A failure that may pass. */
interface Retry {
  fault: string;
  code?: string | undefined;
  /** The endpoint's `Retry-After`; undefined without one. */
  afterMs: number | undefined;
}

/**
 * Returns the code of a connection error: `fetch` and readers of a body throw a TypeError with it as the cause.
 * Undefined for other errors. A cause that is a TypeError itself is about arguments, not about a connection.
 */
function brokenConnection(error: unknown): { code: string | undefined } | undefined {
  const cause = error instanceof TypeError ? error.cause : undefined;
  if (!(cause instanceof Error) || cause instanceof TypeError) return undefined;
  return { code: 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined };
}

/** A part of a message. Parts of other types, such as reasoning, have no text for customers. */
const part = z.object({ type: z.string(), text: z.string().optional() });
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.union([z.string(), z.array(z.union([part, z.string()]))]).nullish(),
          refusal: z.string().nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

function contentOf(body: string): string {
  const parsed = completion.safeParse(parseJson(body));
  const [choice] = parsed.data?.choices ?? [];
  if (choice === undefined) throw new ModelFault('malformed');
  const { message, finish_reason: reason } = choice;
  const text = textOf(message.content ?? '');
  if (text.trim() !== '') return text;
  throw new ModelFault(message.refusal ? 'refused' : reason === 'length' ? 'too_long' : 'empty');
}

function textOf(content: string | (z.infer<typeof part> | string)[]): string {
  if (typeof content === 'string') return content;
  const texts = content.map((one) => {
    if (typeof one === 'string') return one;
    return one.type === 'text' || one.type === 'output_text' ? (one.text ?? '') : '';
  });
  return texts.join('');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
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
