import { errorKinds } from './errors.ts';
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
    'errors.py': pythonErrors(notice),
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

function pythonErrors(notice: string): string {
  const classes = errorKinds.map(
    ({ name, description }) =>
      `class ${name}Error(ParleyError):\n    """${description.replaceAll('`', '``')}"""`,
  );
  const named = errorKinds.map(({ name }) => `"${name}Error"`).toSorted();
  const exact = errorKinds.flatMap(({ name, statuses }) =>
    statuses.map((status) => `    ${status}: ${name}Error,`),
  );
  return `# ${notice}
"""The kinds of errors."""

from __future__ import annotations

from typing import Type

from parley._errors import ParleyError

__all__ = [${named.join(', ')}]


${classes.join('\n\n\n')}


_CLASSES = {
${exact.join('\n')}
}


def class_of(status: int) -> Type[ParleyError]:
    """Returns the class of a status: its own, or that of its hundred."""
    return _CLASSES.get(status, _CLASSES.get(status // 100 * 100, ParleyError))
`;
}
