import type { System } from '@parley/local/system';
import { type Api, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { repeatedly } from '@parley/testing/repeatedly';
import { beforeAll, describe, expect, test } from 'vitest';
import { callsOfConsole, createLink, type Person, signInBy } from '../people/console-people.ts';
import { callsIn } from '../people/limited-keys.ts';
import type { Replicated } from './system.ts';

/** The long form has PEOPLE_CHANGES=1000. */
const changes = Number(process.env['PEOPLE_CHANGES'] ?? 20);
/** From a call of a client to its next one: more load would only slow the changes down. */
const paceMs = 30;

let system: System;
let gateways: string[];
let workspace: TestWorkspace;

/** Puts a session under load at each gateway. A call that begins and ends between two changes must get their status. */
function loadWith({ cookie }: Person) {
  const callers = gateways.map((gateway) => callsOfConsole(gateway, cookie));
  // Undefined while a change is in progress.
  let wanted: number | undefined = 200;
  let change = 0;
  const faults: string[] = [];
  const counts = new Set<number>();
  const probe = async (calls: Api): Promise<void> => {
    const [wantedAtBegin, changeAtBegin] = [wanted, change];
    const { status } = await calls.get(`/workspaces/${workspace.id}/apikeys`);
    counts.add(status);
    if (wantedAtBegin === undefined || change !== changeAtBegin || status === wantedAtBegin) return;
    faults.push(`after change ${change}: ${status} instead of ${wantedAtBegin}`);
  };
  const probeAll = () => Promise.all(callers.map(probe));
  const load = repeatedly(probeAll, { parallel: 2, pauseMs: paceMs });
  const begin = (next?: number): void => {
    wanted = next;
    change += 1;
  };
  return {
    probeAll,
    /** Makes a change. All calls that begin after its answer must get the status. */
    change: async (status: number, make: () => Promise<{ status: number }>): Promise<void> => {
      await probeAll();
      begin();
      expect((await make()).status).toBe(200);
      begin(status);
      await probeAll();
    },
    /** Ends the load. Throws for each wrong status. */
    stop: async (): Promise<void> => {
      await load.stop();
      expect(faults).toEqual([]);
    },
    [Symbol.asyncDispose]: load.stop,
  };
}

export function peopleLimitTests(replicated: () => Replicated): void {
  beforeAll(async () => {
    ({ system } = replicated());
    ({ gateways } = system.local());
    workspace = await createWorkspace(String(gateways[0]), system.operator);
  });
  const signIn = async (role: 'admin'): Promise<Person> =>
    signInBy(String(gateways[0]), await createLink(system.operator, workspace.id, role));
  const at = (round: number): string => String(gateways[round % gateways.length]);
  const pathOf = async ({ personId }: Person): Promise<string> => {
    for await (const one of workspace.client.members.list()) {
      if (one.personId === personId) return `/members/${one.memberId}`;
    }
    throw new Error('the person is no member');
  };
  const adminAt = (round: number): Api => callsInWorkspace(at(round), workspace);

  describe('after a change of a person has answered, no gateway relies on what was before', () => {
    test('a role, narrowed and widened', async () => {
      const person = await signIn('admin');
      const path = await pathOf(person);
      await using load = loadWith(person);
      for (let round = 0; round < changes; round += 1) {
        const isWide = round % 2 === 1;
        const role = isWide ? 'admin' : 'viewer';
        await load.change(isWide ? 200 : 403, () => adminAt(round).patch(path, { role }));
      }
      await load.stop();
    }, 600_000);

    test('a sign-out, and a removal', async () => {
      for (let round = 0; round < changes / 5; round += 1) {
        const person = await signIn('admin');
        const path = await pathOf(person);
        await using load = loadWith(person);
        await load.change(401, () =>
          round % 2 === 0
            ? callsOfConsole(at(round), person.cookie).delete('/session')
            : adminAt(round).delete(path),
        );
        await load.stop();
      }
    }, 600_000);
  });
}

function callsInWorkspace(gateway: string, { id, apiKey, apiSecret }: TestWorkspace): Api {
  return callsIn(gateway, id, { apiKey, secret: apiSecret });
}
