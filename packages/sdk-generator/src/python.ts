import type { FlatApi } from './flat.ts';
import { pythonCalls } from './python-calls.ts';
import { pythonTypes } from './python-types.ts';

/** Returns the generated modules of `parley` for Python. `sources`: the modules of the asynchronous runtime. */
export function pythonFiles(
  api: FlatApi,
  notice: string,
  sources: Record<'io' | 'client', string>,
): Record<string, string> {
  const calls = pythonCalls(api, notice);
  return {
    '__init__.py': `# ${notice}\n"""Generated code."""\n`,
    'types.py': pythonTypes(api, notice),
    'async_calls.py': calls,
    'calls.py': withoutAsync(calls),
    'io.py': `# ${notice}\n${withoutAsync(sources.io)}`,
    'client.py': `# ${notice}\n${withoutAsync(sources.client)}`,
  };
}

/** Returns the module for the blocking client: the same calls and names, without `async` and `await`. */
function withoutAsync(source: string): string {
  return source
    .replace(/^"""(.*?)\. The twin .*"""$/m, '"""$1."""')
    .replaceAll('parley._async_io', 'parley.gen.io')
    .replaceAll('parley.gen.async_calls', 'parley.gen.calls')
    .replaceAll(/\b(?:async|await) /g, '')
    .replaceAll('asyncio.sleep', 'time.sleep')
    .replace(/^import asyncio\n/m, '')
    .replaceAll(/\bAsync(?=[A-Z])/g, '')
    .replaceAll(/__a(enter|exit|iter)__/g, '__$1__')
    .replaceAll(/\ba(close|read|iter_bytes)\b/g, '$1');
}
