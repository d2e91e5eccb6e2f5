import { resolve } from 'node:path';

/** The counts and outcomes of the last run, in the format of Jest's JSON. */
export const reportFile: string = resolve(import.meta.dirname, '../../node_modules/.cache/parley/tests.json');
