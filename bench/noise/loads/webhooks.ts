import type { Attack, Load } from '../attack.ts';
import { answerAtOnce, answerNothing, answerSlowly, withWebhooks } from '../receiver.ts';

/** Deliveries to bad receivers, and calls about very many deliveries. */
export const webhookLoads: readonly Load[] = [
  {
    name: 'slow-receiver',
    does: '20 completions per second for a receiver that sends 16 KiB slowly',
    run: (attack) => withWebhooks(attack, { count: 1, respond: answerSlowly }, () => complete(attack, 20)),
  },
  {
    name: 'hanging-receiver',
    does: '20 completions per second for a receiver that does not answer',
    run: (attack) => withWebhooks(attack, { count: 1, respond: answerNothing }, () => complete(attack, 20)),
  },
  {
    name: 'many-webhooks',
    does: '10 completions per second for 90 webhooks',
    run: (attack) => withWebhooks(attack, { count: 90, respond: answerAtOnce }, () => complete(attack, 10)),
  },
  {
    name: 'bulk-creations',
    does: '200 creations at once, again and again, for no webhook',
    run: createMany,
  },
  {
    name: 'costly-filters',
    does: '200 creations at once, again and again, for 90 webhooks with costly filters',
    run: (attack) =>
      withWebhooks(attack, { count: 90, respond: answerAtOnce }, async (ids) => {
        for (const [number, id] of ids.entries()) await setCostlyFilter(attack, id, number);
        await createMany(attack);
      }),
  },
  {
    name: 'slow-test-events',
    does: '150 test events per second for a receiver that sends 16 KiB slowly',
    run: (attack) =>
      withWebhooks(attack, { count: 1, respond: answerSlowly }, ([id]) =>
        attack.every(150, () => attack.call({ method: 'POST', path: `${attack.base}/webhooks/${id}/test` })),
      ),
  },
  { name: 'delivery-lists', does: '60 reads per second of the log of very many deliveries', run: readLog },
  {
    name: 'recoveries',
    does: '20 recoveries per second, each of very many deliveries',
    run: (attack) =>
      whileActive(attack, () =>
        attack.every(20, () =>
          attack.call({
            method: 'POST',
            path: `${webhook(attack)}/recover`,
            body: JSON.stringify({ since: '2000-01-01T00:00:00Z' }),
          }),
        ),
      ),
  },
  {
    name: 'retries',
    does: '150 retries of deliveries per second',
    run: (attack) => whileActive(attack, () => retry(attack)),
  },
  {
    name: 'create-webhooks',
    does: '8 at once create and delete webhooks',
    run: ({ parallel, call, base }) =>
      parallel(8, async (number) => {
        const body = {
          url: 'http://127.0.0.1:9/',
          secretToken: `w${number} ${Math.random()}`,
          isActive: true,
        };
        const made = await call(
          { method: 'POST', path: `${base}/webhooks`, body: JSON.stringify(body) },
          { wantsText: true },
        );
        if (made?.status !== 200) return;
        const { data } = JSON.parse(made.text) as { data: { id: string } };
        await call({ method: 'DELETE', path: `${base}/webhooks/${data.id}` });
      }),
  },
];

const webhook = ({ base, attacker }: Attack): string => `${base}/webhooks/${attacker.webhookId}`;

/** Activates the webhook of the very many deliveries for the time of some work. Its deactivation ends recoveries. */
async function whileActive(attack: Attack, work: () => Promise<void>): Promise<void> {
  const activate = (isActive: boolean) =>
    attack.prepare({ method: 'PATCH', path: webhook(attack), body: { isActive } });
  await activate(true);
  try {
    await work();
  } finally {
    await activate(false);
  }
}

/** Lets a webhook get creations that nine searches in a long text find: none. */
function setCostlyFilter({ prepare, base }: Attack, id: string, number: number): Promise<unknown> {
  const searches = Array.from(
    { length: 9 },
    (_, at) => `interaction.context.productName.lowerAscii().contains('${number}-${at}')`,
  );
  const body = { events: ['InteractionCreated'], filter: searches.join(' || ') };
  return prepare({ method: 'PATCH', path: `${base}/webhooks/${id}/options`, body });
}

/** Creates interactions with long texts, one bulk call after another. */
function createMany({ parallel, call, base, attacker: { botId } }: Attack): Promise<void> {
  const context = [{ key: 'productName', value: 'The delivery came late. '.repeat(80) }];
  const item = { customerId: 'creator', botId, status: 'Pending', context };
  const body = JSON.stringify({ interactions: Array.from({ length: 200 }, () => item) });
  return parallel(
    1,
    async () => void (await call({ method: 'POST', path: `${base}/interactions/bulk`, body })),
  );
}

/** Completes this many new interactions per second. */
function complete({ every, call, base, attacker: { botId } }: Attack, perSecond: number): Promise<void> {
  return every(perSecond, async () => {
    const body = JSON.stringify({ customerId: 'completer', botId, status: 'Pending' });
    const made = await call({ method: 'POST', path: `${base}/interactions`, body }, { wantsText: true });
    if (made?.status !== 200) return;
    const { data } = JSON.parse(made.text) as { data: { id: string } };
    await call({
      method: 'PATCH',
      path: `${base}/interactions/${data.id}`,
      body: JSON.stringify({ status: 'Completed' }),
    });
  });
}

function readLog(attack: Attack): Promise<void> {
  const reads = [
    '/deliveries?limit=50',
    '/deliveries?state=failed&limit=50&since=2000-01-01T00:00:00Z',
    '/deliveries?state=succeeded&limit=50',
    `/deliveries?interactionId=${crypto.randomUUID()}`,
    '/deliveries?until=2000-01-01T00:00:00Z',
    '/stats',
  ];
  return attack.every(60, (number) =>
    attack.call({ method: 'GET', path: webhook(attack) + reads[number % reads.length] }),
  );
}

async function retry(attack: Attack): Promise<void> {
  const path = `${webhook(attack)}/deliveries`;
  const some = await attack.prepare<{ id: string }[]>({ method: 'GET', path: `${path}?limit=50` });
  await attack.every(150, (number) =>
    attack.call({ method: 'POST', path: `${path}/${some[number % some.length]?.id}/retry` }),
  );
}
