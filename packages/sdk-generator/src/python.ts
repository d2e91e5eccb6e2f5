import { errorKinds } from './errors.ts';
import type { FlatApi } from './flat.ts';
import { pythonCalls } from './python-calls.ts';
import { docstring, pythonName, pythonTypes } from './python-types.ts';

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
    'options.py': pythonOptions(api, notice),
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
    .replaceAll(/\ba(close|iter_bytes)\b/g, '$1');
}

function pythonOptions({ headers }: FlatApi, notice: string): string {
  const fields = headers.flatMap(({ option, description }) => [
    `    ${pythonName(option)}: Optional[str] = None`,
    ...docstring(description, '    '),
  ]);
  const names = headers.map(({ name, option }) => `    "${pythonName(option)}": "${name.toLowerCase()}",`);
  return `# ${notice}
"""The options of a call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional


@dataclass(frozen=True)
class CallOptions:
    """What a call can have beside its arguments."""

    timeout: Optional[float] = None
    """Seconds for each try."""
    headers: Optional[Mapping[str, str]] = field(default=None, repr=False)
    """Further header fields."""
${fields.join('\n')}


HEADERS = {
${names.join('\n')}
}
`;
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
    return _CLASSES.get(status, _CLASSES.get(status // 100 * 100, UnexpectedAnswerError))
`;
}
