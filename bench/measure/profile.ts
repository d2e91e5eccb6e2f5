import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(import.meta.dirname, '../..');
const profileDir = join(root, 'node_modules/.cache/parley/profiles');

/** Returns the flags that make a process of Node write a profile of that name at its end. */
export function profileFlags(name: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, `--cpu-prof-name=${name}.cpuprofile`];
}

/** Returns microseconds of the clock of profiles. */
export function profileClock(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** The format of Chrome DevTools, as V8 writes it. Times in microseconds of the monotonic clock. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

const functionsShown = 20;
const modulesShown = 12;

/** Returns the path of a profile and its most expensive functions since `from`, by own time, without idle time. */
export async function profileReport(name: string, from: number): Promise<string> {
  const path = join(profileDir, `${name}.cpuprofile`);
  const { nodes, startTime, samples, timeDeltas } = JSON.parse(await readFile(path, 'utf8')) as Profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const modules = new Map<string, number>();
  const add = (times: Map<string, number>, key: string, time: number): void => {
    times.set(key, (times.get(key) ?? 0) + time);
  };
  let total = 0;
  let at = startTime;
  for (const [index, sample] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    const frame = frames.get(sample);
    if (at < from || !frame || frame.functionName === '(idle)') continue;
    total += delta;
    const place = placeOf(frame.url);
    const title = frame.functionName || '(anonymous)';
    add(functions, place === '' ? title : `${title}  ${place}:${frame.lineNumber + 1}`, delta);
    add(modules, place === '' ? (title.startsWith('(') ? title : 'native code') : moduleOf(place), delta);
  }
  const longest = (times: Map<string, number>, count: number): string[] =>
    [...times]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([key, time]) => `  ${((100 * time) / total).toFixed(1).padStart(5)} %  ${key}`);
  return [
    `\nprofile of ${name}: ${path}`,
    ...longest(modules, modulesShown),
    '  by function:',
    ...longest(functions, functionsShown),
    '',
  ].join('\n');
}

function placeOf(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  return path.replace(/^.*node_modules\//, '').replace(`${root}/`, '');
}

/** Returns the package of a file, or the first two parts of its path in the repository; or a module of Node. */
function moduleOf(place: string): string {
  if (place.startsWith('node:')) return place;
  const parts = place.split('/');
  const isDeep = place.startsWith('@') || /^(packages|services|bench)\//.test(place);
  return parts.slice(0, isDeep ? 2 : 1).join('/');
}
