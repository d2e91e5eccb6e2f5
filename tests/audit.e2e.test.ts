import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { auditEventsOf } from './audit-log.ts';
import { createKey } from './limited-keys.ts';

// Contract 2, section 12: the audit log.

const { baseUrl } = inject('local');
const operator = inject('operator');

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, operator);
});

describe('an event', () => {
  test('says who did what to which thing, from where and in which request', async () => {
    const key = await createKey(workspace, ['audit:read']);
    const path = `/apikeys/${key.apiKey}`;
    const answer = await workspace.api.patch(
      path,
      { name: 'Renamed' },
      { 'x-request-id': 'request-of-audit' },
    );
    expect(answer.status).toBe(200);
    const [event] = await auditEventsOf(workspace, { target: key.apiKey });
    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}000$/),
      action: 'key.updated',
      actor: { type: 'key', id: workspace.apiKey, name: '' },
      targets: [{ type: 'key', id: key.apiKey }],
      requestId: answer.headers.get('x-request-id'),
      clientAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
      changes: { name: ['Test', 'Renamed'] },
    });
  });

  test('of the operator has no address', async () => {
    const [created] = await auditEventsOf(workspace, { action: 'workspace.created' });
    expect(created).toMatchObject({
      actor: { type: 'operator', id: 'operator', name: '' },
      targets: [{ type: 'workspace', id: workspace.id }],
      clientAddress: null,
    });
  });
});
