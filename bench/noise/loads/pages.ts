import type { Attack, Load } from '../attack.ts';

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
        return near((interactions + 3 * interactionsOfOne) / 2);
      }),
  },
  {
    name: 'filtered-pages',
    does: '16 pages of interactions per second, by four filters at once, in the middle of the list',
    run: (attack) => {
      const { botId, sizes } = attack.attacker;
      const filters = `&status=Pending&priority=Low&botId=${botId}&customerId=awaited`;
      return pages(attack, 'interactions', () => near(sizes.interactionsOfOne / 6) + filters);
    },
  },
];

/** Returns a page near a row, as a query. */
function near(row: number): string {
  return `page=${Math.max(1, Math.floor(row / pageSize) - Math.floor(Math.random() * 50))}&pageSize=${pageSize}`;
}

function pages({ every, call, base }: Attack, list: string, query: () => string): Promise<void> {
  return every(perSecond, () => call({ method: 'GET', path: `${base}/${list}?${query()}` }));
}
