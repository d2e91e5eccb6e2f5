import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The ends of the paths of the slowest files, without `.test.ts`, in the order in which they start. Files that wait for
 * most of their time are among files that compute, and those that start a system are apart: a dozen processes at once
 * keep all processors busy for a minute. The end of a run prints the slowest files.
 */
export const slowFiles: readonly string[] = [
  'tests/system/faults.e2e',
  'tests/check/check',
  'insight/tests/faults.int',
  'console/console.browser',
  'events/tests/consumers.int',
  'console/console-typing.browser',
  'console/console-failures.browser',
  'tests/system/replicas.e2e',
  'sdks/go.e2e',
  'editor/editor.browser',
  'editor/editors.browser',
  'insight/tests/isolation.int',
  'tests/system/nats-cluster.e2e',
  'console/console-webhooks.browser',
  'tests/system/observed.e2e',
  'docs.browser',
  'insight/tests/rebuild.int',
  'tests/webhooks/delivery-faults.e2e',
  'sdks/python.e2e',
  'tests/people/sign-in.e2e',
  'widget/resilience.browser',
  'tests/insight/insight.e2e',
  'tests/system/hostile-postgres.e2e',
  'console/console-feel.browser',
  'editor/steps.browser',
  'editor/keyboard.browser',
  'events/tests/shares.int',
  'images.e2e',
  'console/operator.browser',
  'events/tests/delivery.int',
  'tests/system/rollback.e2e',
  'console/console-lists.browser',
  'events/tests/stream-replicas.int',
  'observability/observability',
  'console/portal.browser',
  'tests/system/failover.e2e',
  'screens.browser',
  'events/tests/first-connection.int',
  'gateway/tests/http/limits.int',
  'lanes/process.int',
  'lanes/owner-change.int',
];

/** Runs the slowest files first: at the end, no file runs for long with nothing beside it. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

function rankOf(path: string): number {
  const rank = slowFiles.findIndex((name) => path.endsWith(`${name}.test.ts`));
  return rank === -1 ? slowFiles.length : rank;
}
