import { randomInt } from 'node:crypto';
import { createBenchSessions } from '../setup/sessions.ts';
import { customerId, interactionId, conversationId } from '../setup/seed.ts';
import type { Subject } from '../setup/subject.ts';

/** The pace of calls: as many as 64 connections can make, or 500 a second at random moments. */
export type Pace = 'saturated' | 'moderate';

export interface Case {
  name: string;
  title: string;
  /** The maximum ratio to the baseline, if there is a target. */
  ratioMax: { [P in Pace]?: number };
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
    ratioMax: { saturated: 0.5, moderate: 1 },
    isRepeated: true,
    varying: [],
    requests: async (subject, count) =>
      times(count, () => get(subject, `/interactions/${interactionId(pick(subject.contents.interactions))}`)),
  },
  {
    name: 'get-customer',
    title: 'GET customer',
    ratioMax: { saturated: 0.55, moderate: 1 },
    isRepeated: true,
    varying: [],
    requests: async (subject, count) =>
      times(count, () => get(subject, `/customers/${customerId(pick(subject.contents.customers))}`)),
  },
  {
    name: 'list-interactions',
    title: 'list interactions',
    ratioMax: { saturated: 0.6, moderate: 1 },
    isRepeated: true,
    varying: [],
    requests: async (subject, count) =>
      times(count, () => get(subject, `/interactions?page=${pick(20)}&pageSize=20`)),
  },
  {
    name: 'post-interaction',
    title: 'POST interaction',
    ratioMax: { saturated: 0.45, moderate: 1 },
    isRepeated: true,
    varying: ['id', 'link', 'createdAt', 'expiresAt'],
    requests: async (subject, count) =>
      times(count, () =>
        post(subject, `${base(subject)}/interactions`, subject.authorization, newInteraction(subject)),
      ),
  },
  {
    name: 'one-turn',
    title: 'one turn of a conversation',
    ratioMax: { saturated: 0.6, moderate: 1 },
    isRepeated: false,
    varying: ['timestamp'],
    requests: async (subject, count, taken) => {
      const { workspaceId, conversations } = subject.contents;
      const sessions = createBenchSessions(subject.sessionKeys);
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

/** Creations: a call for each, or one for as many as the subject's `itemsPerCall`. */
export const bulkCase: Case = {
  name: 'bulk',
  title: 'POST interaction, for each interaction',
  ratioMax: { saturated: 0.3 },
  isRepeated: true,
  varying: [],
  requests: async (subject, count) => {
    const { itemsPerCall, authorization } = subject;
    if (itemsPerCall === undefined) return caseOf('post-interaction').requests(subject, count, 0);
    return times(Math.ceil(count / itemsPerCall), () => {
      const interactions = times(itemsPerCall, () => newInteraction(subject));
      return post(subject, `${base(subject)}/interactions/bulk`, authorization, { interactions });
    });
  },
};

export function caseOf(name: string): Case {
  const found = cases.find((one) => one.name === name);
  if (!found) throw new Error(`no case ${name}`);
  return found;
}

function newInteraction({ contents }: Subject): object {
  return {
    customerId: customerId(pick(contents.customers)),
    botId: contents.botIds[0],
    status: 'Pending',
    expiry: 7 * 24 * 60 * 60,
    context: [{ key: 'productName', value: 'A product of ours' }],
  };
}

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
