import type { Attack, Load } from '../attack.ts';
import { hugeCustomers } from '../seed-attacker.ts';

const perSecond = 16;
const pageSize = 20;

/** Pages of lists that have to skip many rows. */
export const pageLoads: readonly Load[] = [
  {
    name: 'deep-customers',
    does: '16 pages of customers per second, in the middle of the list',
    run: (attack) => pages(attack, 'customers', () => near(attack.attacker.sizes.customers / 2)),
  },
  {
    name: 'last-customers',
    does: '20 pages of customers per second, near the end of the list',
    run: (attack) => pages(attack, 'customers', () => near(attack.attacker.sizes.customers), 20),
  },
  {
    name: 'customers-past-end',
    does: '16 pages of customers per second, far past the end of the list',
    run: (attack) => pages(attack, 'customers', () => near(1e9)),
  },
  {
    name: 'deep-interactions',
    does: '16 pages of interactions per second, in the middle of the list',
    run: (attack) =>
      pages(attack, 'interactions', () => {
        const { interactions, interactionsOfOne } = attack.attacker.sizes;
        return near((interactions + hugeCustomers.length * interactionsOfOne) / 2);
      }),
  },
  {
    name: 'filtered-pages',
    does: '16 pages of interactions per second, by four filters at once, mid-list',
    run: (attack) => {
      const { botId, sizes } = attack.attacker;
      const filters = `&status=Pending&priority=Low&botId=${botId}&customerId=awaited`;
      return pages(attack, 'interactions', () => near(sizes.interactionsOfOne / 6) + filters);
    },
  },
  {
    name: 'large-histories',
    does: '12 pages of 50 completed conversations with 240 KB each per second',
    run: ({ every, call, base }) => {
      const path = `${base}/interactions?customerId=talkative&status=Completed&pageSize=50`;
      return every(12, () => call({ method: 'GET', path }));
    },
  },
];

/** Returns a page near a row, as a query. */
function near(row: number): string {
  return `page=${Math.max(1, Math.floor(row / pageSize) - Math.floor(Math.random() * 50))}&pageSize=${pageSize}`;
}

function pages(
  { every, call, base }: Attack,
  list: string,
  query: () => string,
  rate = perSecond,
): Promise<void> {
  return every(rate, () => call({ method: 'GET', path: `${base}/${list}?${query()}` }));
}
