import { randomUUID } from 'node:crypto';
import type { Attack, Load } from '../attack.ts';
import type { HttpCall } from '../http.ts';

const perSecond = 12;

const one = ({ base }: Attack, customer: string): string => `${base}/customers/${customer}`;

/** Calls about customers with very many interactions. */
export const customerLoads: readonly Load[] = [
  {
    name: 'head-huge',
    does: '12 HEAD of a huge customer per second',
    run: (attack) =>
      attack.every(perSecond, () => attack.call({ method: 'HEAD', path: one(attack, 'huge') })),
  },
  {
    name: 'get-huge',
    does: '12 GET of a huge customer per second',
    run: (attack) => attack.every(perSecond, () => attack.call({ method: 'GET', path: one(attack, 'huge') })),
  },
  {
    name: 'list-huge',
    does: "12 pages per second of a huge customer's interactions",
    run: ({ every, call, base }) =>
      every(perSecond, () => call({ method: 'GET', path: `${base}/interactions?customerId=huge` })),
  },
  {
    name: 'patch-huge',
    does: '12 PATCH of a huge customer per second',
    run: (attack) =>
      attack.every(perSecond, (number) =>
        attack.call({
          method: 'PATCH',
          path: one(attack, 'huge'),
          body: JSON.stringify({ firstName: `Huge ${number}` }),
        }),
      ),
  },
  {
    name: 'pending-huge',
    does: '50 reads per second of what waits for a customer with many interactions',
    run: ({ every, call, visible, sessions, attacker: { workspaceId } }) =>
      every(50, async () => {
        const subject = { $case: 'customerId', value: 'awaited' } as const;
        const headers = {
          Authorization: `Bearer ${await sessions.issue({ workspaceId, subject, fenceVersion: 0 })}`,
        };
        await call({ method: 'GET', path: `${visible}/pending`, headers });
      }),
  },
  {
    name: 'anonymise-huge',
    does: 'anonymises a huge customer, again whenever that is answered',
    run: (attack) =>
      attack.parallel(1, () => attack.call({ method: 'POST', path: `${one(attack, 'doomed')}/anonymise` })),
  },
  {
    name: 'anonymise-many',
    does: 'anonymises 50 customers per second',
    run: (attack) =>
      attack.every(50, (number) =>
        attack.call({ method: 'POST', path: `${one(attack, `customer-${number + 1}`)}/anonymise` }),
      ),
  },
  {
    name: 'open-conversations',
    does: '20 new conversations per second beside very many open ones that are idle',
    run: (attack) => attack.every(20, (number) => converse(attack, number)),
  },
  {
    name: 'erasures',
    does: 'anonymises 150 customers per second and deletes 50, and waits for none of them',
    run: (attack) => {
      // From the end of the list: others have removed the first.
      const last = attack.attacker.sizes.customers;
      const erase = (number: number): HttpCall =>
        number % 4 === 0
          ? { method: 'DELETE', path: one(attack, `customer-${last - number}`) }
          : { method: 'POST', path: `${one(attack, `customer-${last - number}`)}/anonymise` };
      return attack.every(200, (number) => attack.call(erase(number), { givesUpMs: 500 }));
    },
  },
  {
    name: 'retention',
    does: 'a retention of one day, by which most interactions are deleted',
    run: async (attack) => {
      const path = `${attack.base}/retention`;
      const keep = (days: number | null) => ({ completedDays: days, endedDays: days, draftDays: days });
      await attack.prepare({ method: 'PATCH', path, body: keep(1) });
      try {
        await attack.every(1, () => attack.call({ method: 'GET', path }));
      } finally {
        await attack.prepare({ method: 'PATCH', path, body: keep(null) });
      }
    },
  },
];

/** Creates a conversation and answers its first question. */
async function converse(
  { call, base, visible, sessions, attacker: { workspaceId, botId } }: Attack,
  number: number,
): Promise<void> {
  const made = await call(
    {
      method: 'POST',
      path: `${base}/interactions`,
      body: JSON.stringify({ customerId: `customer-${number + 1}`, botId, status: 'Pending' }),
    },
    { wantsText: true },
  );
  if (made?.status !== 200) return;
  const { id } = (JSON.parse(made.text) as { data: { id: string } }).data;
  const subject = { $case: 'interaction', value: { interactionId: id, linkVersion: 1 } } as const;
  const headers = {
    Authorization: `Bearer ${await sessions.issue({ workspaceId, subject, fenceVersion: 0 })}`,
  };
  const path = `${visible}/conversations/${id}`;
  await call({ method: 'POST', path: `${path}/start`, headers, body: '{}' });
  const message = {
    clientMessageId: randomUUID(),
    expectedSeq: 2,
    stepId: 'score',
    answer: { value: 9 },
  };
  await call({ method: 'POST', path: `${path}/messages`, headers, body: JSON.stringify(message) });
}
