import type { System } from '@parley/local/system';
import { type Api, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, test } from 'vitest';
import { callsOfConsole, createLink, type Person, signInBy } from '../people/console-people.ts';
import { callsIn } from '../people/limited-keys.ts';
import { loadWith } from './load.ts';
import type { Replicated } from './system.ts';

/** The long form has PEOPLE_CHANGES=1000. */
const changes = Number(process.env['PEOPLE_CHANGES'] ?? 20);

let system: System;
let gateways: string[];
let workspace: TestWorkspace;

export function peopleLimitTests(replicated: () => Replicated): void {
  beforeAll(async () => {
    ({ system } = replicated());
    ({ gateways } = system.local());
    workspace = await createWorkspace(String(gateways[0]), system.operator);
  });
  const loadOf = ({ cookie }: Person) =>
    loadWith(
      gateways.map((gateway) => callsOfConsole(gateway, cookie)),
      `/workspaces/${workspace.id}/apikeys`,
    );
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
      await using load = loadOf(person);
      for (let round = 0; round < changes; round += 1) {
        const isWide = round % 2 === 1;
        const role = isWide ? 'admin' : 'viewer';
        await load.change(isWide ? 200 : 403, () => adminAt(round).patch(path, { role }));
      }
      await load.stop(200, 403);
    }, 600_000);

    test('a sign-out, and a removal', async () => {
      for (let round = 0; round < changes / 5; round += 1) {
        const person = await signIn('admin');
        const path = await pathOf(person);
        await using load = loadOf(person);
        await load.change(401, () =>
          round % 2 === 0
            ? callsOfConsole(at(round), person.cookie).delete('/session')
            : adminAt(round).delete(path),
        );
        await load.stop(200, 401);
      }
    }, 600_000);
  });
}

function callsInWorkspace(gateway: string, { id, apiKey, apiSecret }: TestWorkspace): Api {
  return callsIn(gateway, id, { apiKey, secret: apiSecret });
}
