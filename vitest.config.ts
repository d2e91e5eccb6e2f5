import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { HangingFiles } from './tests/suite/hanging-files.ts';
import { reportFile } from './tests/suite/report-file.ts';
import { SlowFirst } from './tests/suite/slow-first.ts';
import { SlowestFiles } from './tests/suite/slowest-files.ts';

const includes = (pattern: string): string[] => [`packages/*/${pattern}`, `services/*/${pattern}`];

// The exports of a published package inside this workspace: its sources.
const conditions = ['@parley/source', ...defaultServerConditions];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    // Files also wait for servers and a browser, which use the processors as well.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // Files of a project share workers: a new process and all modules anew would double the time of most. The limits
    // only end what hangs: a busy machine may take a multiple of the usual time.
    isolate: false,
    reporters: ['default', ['json', { outputFile: reportFile }], new HangingFiles(), new SlowestFiles()],
    sequence: { sequencer: SlowFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { name: 'check', include: ['tests/check/**/*.test.ts'] },
      { name: 'unit', include: includes('src/**/*.test.ts') },
      {
        name: 'integration',
        include: includes('tests/**/*.int.test.ts'),
        globalSetup: ['packages/testing/src/setup/setup.ts'],
      },
      {
        name: 'end-to-end',
        include: ['tests/**/*.e2e.test.ts'],
        globalSetup: ['packages/testing/src/setup/system-setup.ts'],
        setupFiles: ['packages/testing/src/setup/contract-setup.ts'],
      },
      {
        name: 'browser',
        include: ['tests/browser/**/*.browser.test.ts'],
        globalSetup: ['packages/testing/src/setup/system-setup.ts', 'tests/browser/chromium-setup.ts'],
      },
      {
        name: 'alone',
        include: ['tests/**/*.alone.test.ts', ...includes('tests/**/*.alone.test.ts')],
        globalSetup: ['packages/testing/src/setup/setup.ts'],
        // Last, one file at a time: they measure times or load the machine, and no other test may hold up a call.
        sequence: { groupOrder: 1 },
        maxWorkers: 1,
      },
    ].map((test) => ({ extends: true, test })),
  },
});
