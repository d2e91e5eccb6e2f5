import { randomInt } from 'node:crypto';
import { customerId, interactionId, seededAt } from '../setup/seed.ts';
import type { Subject } from '../setup/subject.ts';

/** A call whose cost must not depend on the number of rows. */
export interface GrowthCase {
  title: string;
  /** The title of the case on the small side to compare with; default: itself. */
  against?: string;
  /** The maximum ratio, if there is a target. */
  ratioMax?: number;
  method: 'GET' | 'POST';
  path(subject: Subject): string;
  body?(subject: Subject): unknown;
}

/** A filter of the list, as a query and as a condition in SQL. */
export interface Filter {
  title: string;
  query(subject: Subject): string;
  condition(subject: Subject): string;
}

const ratioMax = 1.5;
const pageSize = 20;
/** Interactions of a period that both workspaces have: they were created a second apart. */
const periodSeconds = 500;
/** In both workspaces, with the same number of interactions. */
const someCustomer = customerId(7);

const botOf = ({ contents }: Subject): string => contents.botIds[1] ?? contents.botIds[0] ?? '';
const statusOf = ({ contents }: Subject): string => (contents.areOpen ? 'InProgress' : 'Completed');

export const filters: readonly Filter[] = [
  { title: 'no filter', query: () => '', condition: () => 'true' },
  {
    title: 'status',
    query: (subject) => `&status=${statusOf(subject)}`,
    condition: (subject) => `status = '${statusOf(subject)}'`,
  },
  {
    title: 'botId',
    query: (subject) => `&botId=${botOf(subject)}`,
    condition: (subject) => `bot_id = '${botOf(subject)}'`,
  },
  {
    title: 'customerId',
    query: () => `&customerId=${someCustomer}`,
    condition: () => `customer_id = '${someCustomer}'`,
  },
  {
    title: 'botKey',
    query: () => '&botKey=nps-follow-up',
    condition: ({ contents }) => `bot_id = '${contents.botIds[0]}'`,
  },
  ...(['created', 'updated', 'completed'] as const).map((instant) => ({
    title: `${instant}From`,
    query: () => `&${instant}From=${seededAt(periodSeconds)}`,
    condition: () => `${instant}_at >= '${seededAt(periodSeconds)}'`,
  })),
  ...(['created', 'completed'] as const).map((instant) => ({
    title: `${instant}To`,
    query: () => `&${instant}To=${seededAt(periodSeconds)}`,
    condition: () => `${instant}_at < '${seededAt(periodSeconds)}'`,
  })),
  {
    title: 'evaluation',
    query: () => '&evaluation=nps_score:9',
    condition: () => `evaluation ->> 'nps_score' = '9'`,
  },
];

export function listPath(subject: Subject, filter: Filter, page: number): string {
  return `${base(subject)}/interactions?page=${page}&pageSize=${pageSize}${filter.query(subject)}`;
}

/** The pages of a filtered list; deep ones are compared with the first page of the small workspace. */
export function listCases(filter: Filter, totals: Map<Subject, number>): GrowthCase[] {
  const first: GrowthCase = {
    title: `list, ${filter.title}, page 1`,
    ratioMax,
    method: 'GET',
    path: (subject) => listPath(subject, filter, 1),
  };
  const lastOf = (subject: Subject): number => Math.ceil((totals.get(subject) ?? 0) / pageSize);
  const deepest = Math.max(...[...totals.keys()].map(lastOf));
  const deep = (title: string, page: number): GrowthCase => ({
    title: `list, ${filter.title}, ${title}`,
    against: first.title,
    method: 'GET',
    path: (subject) => listPath(subject, filter, Math.min(page, lastOf(subject))),
  });
  return [
    first,
    ...(deepest > 200 ? [deep('page 200', 200)] : []),
    deep(`last page (${deepest.toLocaleString('en')})`, deepest),
  ];
}

const lastCustomers = ({ contents }: Subject): number => Math.ceil(contents.customers / pageSize);

/** A page of customers; deep ones are compared with the first page of the small workspace. */
function customersCase(title: string, page: (subject: Subject) => number): GrowthCase {
  return {
    title: `customers, ${title}`,
    against: 'customers, page 1',
    ratioMax,
    method: 'GET',
    path: (subject) => `${base(subject)}/customers?page=${page(subject)}&pageSize=${pageSize}`,
  };
}

export const otherCases: readonly GrowthCase[] = [
  customersCase('page 1', () => 1),
  customersCase('last page', lastCustomers),
  {
    title: 'customers, q of one',
    ratioMax,
    method: 'GET',
    path: (subject) => `${base(subject)}/customers?q=customer7@&pageSize=${pageSize}`,
  },
  customersCase('past the end', (subject) => 2 * lastCustomers(subject)),
  {
    title: 'GET interaction',
    ratioMax,
    method: 'GET',
    path: (subject) =>
      `${base(subject)}/interactions/${interactionId(randomInt(1, subject.contents.interactions + 1))}`,
  },
  {
    title: 'GET customer',
    ratioMax,
    method: 'GET',
    path: (subject) =>
      `${base(subject)}/customers/${customerId(randomInt(1, subject.contents.customers + 1))}`,
  },
  {
    title: 'POST interaction',
    ratioMax,
    method: 'POST',
    path: (subject) => `${base(subject)}/interactions`,
    body: ({ contents }) => ({
      customerId: customerId(randomInt(1, contents.customers + 1)),
      botId: contents.botIds[0],
      status: 'Pending',
    }),
  },
];

function base({ contents }: Subject): string {
  return `/v1/workspaces/${contents.workspaceId}`;
}
