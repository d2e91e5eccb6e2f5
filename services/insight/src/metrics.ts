import { observedGauge } from '@parley/runtime/metrics/metrics';
import { countUnknown } from './counting/store.ts';
import { listGenerations } from './generations/generation-store.ts';
import { asOfAgeSeconds, countBehind } from './rounds/store.ts';
import type { Db } from './schema.ts';

export const asOfAge = observedGauge({
  name: 'parley.insight.as_of.age',
  unit: 's',
  description: 'Age of the figures of workspaces that are not behind others; absent during the first build',
});

export const rebuildCounted = observedGauge({
  name: 'parley.insight.rebuild.counted',
  unit: '{interaction}',
  description: 'Interactions that the running build of all figures has counted; 0 without one',
});

export const rebuildTotal = observedGauge({
  name: 'parley.insight.rebuild.total',
  unit: '{interaction}',
  description: 'About how many interactions the running build will count; 0 without one',
});

export const unknownInteractions = observedGauge({
  name: 'parley.insight.unknown',
  unit: '{interaction}',
  description:
    'Interactions whose conversations cannot be read, so that only their creation is counted; at most 10,000',
});

export const workspacesBehind = observedGauge({
  name: 'parley.insight.workspaces.behind',
  unit: '{workspace}',
  description:
    'Workspaces whose figures are older than the figures of others; with events that are not handled yet, by over ten seconds',
});

/** Reads the metrics at each export, until disposed. */
export function watchFigures(db: Db): Disposable {
  const building = async () => (await listGenerations(db)).find(({ state }) => state === 'building');
  const stack = new DisposableStack();
  stack.use(
    asOfAge.observe(async (report) => {
      const seconds = await asOfAgeSeconds(db);
      if (seconds !== undefined) report(seconds);
    }),
  );
  stack.use(
    rebuildCounted.observe(async (report) => {
      report((await building())?.counted ?? 0);
    }),
  );
  stack.use(
    rebuildTotal.observe(async (report) => {
      report((await building())?.total ?? 0);
    }),
  );
  stack.use(unknownInteractions.observe(async (report) => report(await countUnknown(db))));
  stack.use(workspacesBehind.observe(async (report) => report(await countBehind(db))));
  return stack;
}
