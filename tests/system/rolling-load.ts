import { api, basic, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { repeatedly } from '@parley/testing/repeatedly';
import { expect } from 'vitest';
import { openBrowser, taken } from '../conversations/conversation.ts';

/** Calls that go on while processes are replaced. Their disposal ends them. */
export interface RollingLoad extends AsyncDisposable {
  completed: string[];
  failures: string[];
  /** Does the work while no call goes to the gateway, as a load balancer does for one that stops. */
  without(gateway: string, work: () => Promise<void>): Promise<void>;
  /** Ends the load when its running conversations are completed. */
  stop(): Promise<void>;
}

const parallel = 3;
/** Between two conversations of a client. The processes that start need most of the machine. */
const paceMs = 150;

/**
 * Starts several clients that complete conversations with the NPS sample bot, and one that holds long polls of two
 * seconds. Each conversation uses the next gateway, and retries nothing.
 */
export function startRollingLoad(gateways: string[], workspace: TestWorkspace, botId: string): RollingLoad {
  const completed: string[] = [];
  const failures: string[] = [];
  const inUse = new Map(gateways.map((gateway) => [gateway, 0]));
  let left: string | undefined;
  let turn = 0;

  const begin = async (gateway: string, customerId: string) => {
    const own = api(`${gateway}/v1/workspaces/${workspace.id}`, basic(workspace.apiKey, workspace.apiSecret));
    taken(await own.post('/customers', { id: customerId, firstName: 'Anna' }));
    const request = { customerId, botId, status: 'Pending' };
    const { id } = taken(await own.post<{ id: string }>('/interactions', request));
    const browser = await openBrowser(gateway, { ...workspace, api: own }, customerId);
    return { own, id, browser, snapshot: await browser.start(id) };
  };

  const converse = async (gateway: string, customerId: string): Promise<void> => {
    const { own, id, browser, snapshot } = await begin(gateway, customerId);
    const asked = await browser.say(id, snapshot, { value: 10 });
    await browser.say(id, asked, { text: 'Fine' });
    for (const path of [`/interactions/${id}`, '/interactions?pageSize=5', '/customers', '/webhooks']) {
      taken(await own.get(path));
    }
    completed.push(id);
  };

  const poll = async (gateway: string, customerId: string): Promise<void> => {
    const { id, browser, snapshot } = await begin(gateway, customerId);
    taken(await browser.look(id, `?after=${snapshot.seq}&wait=2`));
  };

  const doNext = async (work: typeof converse, customerId: string): Promise<void> => {
    turn += 1;
    const offered = gateways.filter((gateway) => gateway !== left);
    const gateway = String(offered[turn % offered.length]);
    inUse.set(gateway, (inUse.get(gateway) ?? 0) + 1);
    await work(gateway, customerId).catch((error: unknown) => failures.push(String(error)));
    inUse.set(gateway, (inUse.get(gateway) ?? 0) - 1);
  };
  // The last loop listens.
  const { stop } = repeatedly(
    (loop, round) => doNext(loop < parallel ? converse : poll, `client ${loop} ${round}`),
    { parallel: parallel + 1, pauseMs: paceMs },
  );
  return {
    completed,
    failures,
    without: async (gateway, work) => {
      left = gateway;
      await eventually(() => expect(inUse.get(gateway)).toBe(0));
      await work();
      left = undefined;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
