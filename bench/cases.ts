import { randomInt } from 'node:crypto';
import { keyring } from '@parley/runtime/keyring';
import { createSessions } from '../services/gateway/src/auth/session.ts';
import { customerId, interactionId, conversationId } from './seed.ts';
import type { Subject } from './subject.ts';

/** The pace of calls: as many as 64 connections can make, or 500 a second at random moments. */
export type Pace = 'saturated' | 'moderate';

/** A kind of measured call. */
export interface Case {
  name: string;
  title: string;
  /** The maximum ratio to the baseline, if there is a target. */
  ratioMax: { [P in Pace]?: number };
  /** Whether the same request can be sent repeatedly. */
  isRepeated: boolean;
  /** Returns this many requests as bytes. `taken`: how many the subject has had before. */
  requests(subject: Subject, count: number, taken: number): Promise<string[]>;
  /** Fields that may differ between servers. */
  varying: readonly string[];
}

export const cases: readonly Case[] = [
  {
    name: 'get-interaction',
    title: 'GET interaction',
    ratioMax: { saturated: 0.65, moderate: 1.3 },
    isRepeated: true,
    varying: [],
    requests: async (subject, count) =>
      times(count, () => get(subject, `/interactions/${interactionId(pick(subject.contents.interactions))}`)),
  },
  {
    name: 'get-customer',
    title: 'GET customer',
    ratioMax: { saturated: 0.65, moderate: 1.3 },
    isRepeated: true,
    varying: [],
    requests: async (subject, count) =>
      times(count, () => get(subject, `/customers/${customerId(pick(subject.contents.customers))}`)),
  },
  {
    name: 'list-interactions',
    title: 'list interactions',
    ratioMax: {},
    isRepeated: true,
    varying: [],
    requests: async (subject, count) =>
      times(count, () => get(subject, `/interactions?page=${pick(20)}&pageSize=20`)),
  },
  {
    name: 'post-interaction',
    title: 'POST interaction',
    ratioMax: { saturated: 0.45, moderate: 1.3 },
    isRepeated: true,
    varying: ['id', 'link', 'createdAt', 'expiresAt'],
    requests: async (subject, count) =>
      times(count, () => {
        const { contents } = subject;
        return post(subject, `${base(subject)}/interactions`, subject.authorization, {
          customerId: customerId(pick(contents.customers)),
          botId: contents.botIds[0],
          status: 'Pending',
          expiry: 7 * 24 * 60 * 60,
          context: [{ key: 'productName', value: 'A product of ours' }],
        });
      }),
  },
  {
    name: 'one-turn',
    title: 'one turn of a conversation',
    ratioMax: {},
    isRepeated: false,
    varying: ['timestamp'],
    requests: async (subject, count, taken) => {
      const { workspaceId, conversations } = subject.contents;
      const sessions = createSessions(keyring.parse(subject.sessionKeys), { nowMs: Date.now });
      const numbers = times(Math.min(count, conversations - taken), (index) => taken + 1 + index);
      return Promise.all(
        numbers.map(async (number) => {
          const id = conversationId(number);
          const subjectOfSession = {
            $case: 'interaction',
            value: { interactionId: id, linkVersion: 1 },
          } as const;
          const token = await sessions.issue({ workspaceId, subject: subjectOfSession, fenceVersion: 0 });
          const path = `/public/v1/workspaces/${workspaceId}/conversations/${id}/messages`;
          return post(subject, path, `Bearer ${token}`, {
            clientMessageId: 'answer-1',
            expectedSeq: 2,
            stepId: 'score',
            answer: { value: 10 },
          });
        }),
      );
    },
  },
];

function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => make(index));
}

function pick(count: number): number {
  return randomInt(1, count + 1);
}

function base({ contents }: Subject): string {
  return `/v1/workspaces/${contents.workspaceId}`;
}

function get(subject: Subject, path: string): string {
  return message(subject, `GET ${base(subject)}${path}`, subject.authorization, []);
}

function post(subject: Subject, path: string, authorization: string, body: unknown): string {
  const text = JSON.stringify(body);
  const fields = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`];
  return message(subject, `POST ${path}`, authorization, fields) + text;
}

function message({ port }: Subject, target: string, authorization: string, fields: string[]): string {
  return [
    `${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: ${authorization}`,
    'Accept: application/json',
    ...fields,
    '\r\n',
  ].join('\r\n');
}
