import type { Attack, Load } from '../attack.ts';

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
];
