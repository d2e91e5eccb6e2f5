import { randomBytes, randomUUID } from 'node:crypto';
import type { Attack, Load } from '../attack.ts';

/** Returns calls that create an interaction. */
function creation({ call, base, attacker: { botId } }: Attack) {
  return (fields: object, headers: Record<string, string> = {}) =>
    call({
      method: 'POST',
      path: `${base}/interactions`,
      headers,
      body: JSON.stringify({ customerId: 'writer', botId, ...fields }),
    });
}

/** Writes at the limit of the key, many of them to one row. */
export const writeLoads: readonly Load[] = [
  {
    name: 'create-interactions',
    does: '200 new interactions of one customer per second',
    run: (attack) => attack.every(200, () => creation(attack)({})),
  },
  {
    name: 'large-contexts',
    does: '100 new interactions of 16 KB per second',
    run: (attack) => {
      const context = [{ key: 'productName', value: 'x'.repeat(2_000) }];
      return attack.every(100, () => creation(attack)({ context }));
    },
  },
  {
    name: 'open-link',
    does: '200 visits of one open link per second, half of which press its button',
    run: async ({ prepare, every, call, base, attacker }) => {
      const path = `${base}/bots/${attacker.botId}/open-links`;
      const { url } = await prepare<{ url: string }>({ method: 'POST', path, body: { name: 'Flood' } });
      const headers = { Authorization: '', Accept: 'text/html' };
      await every(200, (number) =>
        call({ method: number % 2 === 0 ? 'GET' : 'POST', path: new URL(url).pathname, headers }),
      );
    },
  },
  {
    name: 'create-customers',
    does: '200 new customers per second',
    run: ({ every, call, base }) =>
      every(200, () =>
        call({ method: 'POST', path: `${base}/customers`, body: JSON.stringify({ id: randomUUID() }) }),
      ),
  },
  {
    name: 'patch-customer',
    does: '200 changes of one customer per second',
    run: ({ every, call, base }) =>
      every(200, (number) =>
        call({
          method: 'PATCH',
          path: `${base}/customers/customer-1`,
          body: JSON.stringify({ firstName: `Name ${number}` }),
        }),
      ),
  },
  {
    name: 'patch-interaction',
    does: '200 changes of one interaction per second',
    run: async (attack) => {
      const { prepare, every, call, base, attacker } = attack;
      const body = { customerId: 'writer', botId: attacker.botId, status: 'Pending' };
      const { id } = await prepare<{ id: string }>({ method: 'POST', path: `${base}/interactions`, body });
      await every(200, (number) =>
        call({
          method: 'PATCH',
          path: `${base}/interactions/${id}`,
          body: JSON.stringify({ expiry: 86_400 + number }),
        }),
      );
    },
  },
  {
    name: 'replays',
    does: '200 repeated creations per second with one Idempotency-Key',
    run: (attack) => {
      const key = { 'Idempotency-Key': randomUUID() };
      return attack.every(200, () => creation(attack)({}, key));
    },
  },
  {
    name: 'same-keys',
    does: '10 groups per second of 20 creations at once with the same Idempotency-Key',
    run: (attack) => {
      const make = creation(attack);
      return attack.every(10, () => {
        const key = { 'Idempotency-Key': randomUUID() };
        return Promise.all(Array.from({ length: 20 }, () => make({}, key)));
      });
    },
  },
  { name: 'same-conversation', does: '100 messages at once to one conversation', run: sameConversation },
  {
    name: 'logos',
    does: '30 new logos of 64 KB per second, and 100 reads of the branding',
    run: async ({ every, call, base }) => {
      await Promise.all([
        every(30, () =>
          call({ method: 'PATCH', path: `${base}/branding`, body: JSON.stringify({ logo: largeLogo() }) }),
        ),
        every(100, () => call({ method: 'GET', path: `${base}/branding` })),
      ]);
    },
  },
  {
    name: 'documents',
    does: '100 anonymous reads per second of the API description and its page',
    run: ({ every, call }) =>
      every(100, (number) =>
        call({
          method: 'GET',
          path: number % 2 === 0 ? '/openapi.json' : '/docs',
          headers: { Authorization: '' },
        }),
      ),
  },
];

/** Many sessions answer the same question: one wins, the others read again. */
async function sameConversation(attack: Attack): Promise<void> {
  const { prepare, parallel, call, base, visible, sessions, attacker } = attack;
  const { workspaceId, botId } = attacker;
  const body = { customerId: 'writer', botId, status: 'Pending' };
  const { id } = await prepare<{ id: string }>({ method: 'POST', path: `${base}/interactions`, body });
  const subject = { $case: 'interaction', value: { interactionId: id, linkVersion: 1 } } as const;
  const bySession = async () => ({
    Authorization: `Bearer ${await sessions.issue({ workspaceId, subject, fenceVersion: 0 })}`,
  });
  const path = `${visible}/conversations/${id}`;
  await prepare({ method: 'POST', path: `${path}/start`, headers: await bySession(), body: {} });
  await parallel(100, async () => {
    const message = {
      clientMessageId: randomUUID(),
      expectedSeq: 2,
      stepId: 'score',
      answer: { value: 9 },
    };
    const headers = await bySession();
    await call({ method: 'POST', path: `${path}/messages`, headers, body: JSON.stringify(message) });
  });
}

/** Returns the head of a PNG image of one pixel, and bytes that change with each call. */
function largeLogo(): string {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
  const bytes = Buffer.concat([head, randomBytes(63_000)]);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}
