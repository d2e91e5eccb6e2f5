import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The ends of the paths of the slowest files, without `.test.ts`. The end of a run prints them. */
export const slowFiles: readonly string[] = [
  'tests/system/faults.e2e',
  'tests/system/replicas.e2e',
  'tests/system/observed.e2e',
  'tests/webhooks/delivery-faults.e2e',
  'images.e2e',
  'sdks/go.e2e',
  'sdks/python.e2e',
  'tests/system/nats-cluster.e2e',
  'tests/people/sign-in.e2e',
  'insight/tests/faults.int',
  'events/tests/shares.int',
  'events/tests/consumers.int',
  'events/tests/delivery.int',
  'events/tests/stream-replicas.int',
  'insight/tests/isolation.int',
  'lanes/owner-change.int',
  'lanes/process.int',
  'console/console-typing.browser',
  'console/console.browser',
  'console/console-failures.browser',
  'console/editor.browser',
  'console/operator.browser',
];

/** Runs the slowest files of each project first: at its end, no file runs for long with nothing beside it. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...Map.groupBy(sorted, ({ project }) => project).values()];
    return projects.flatMap((own) => own.toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId)));
  }
}

function rankOf(path: string): number {
  const rank = slowFiles.findIndex((name) => path.endsWith(`${name}.test.ts`));
  return rank === -1 ? slowFiles.length : rank;
}
