import { useMemo, useRef } from 'react';

/** Returns the value of before while the new one says the same. */
export function useSame<Value>(value: Value): Value {
  const written = JSON.stringify(value);
  return useMemo(() => value, [written]);
}

/** Returns an object of functions that stays, and calls the newest ones. */
export function useStable<Values extends object>(values: Values): Values {
  const latest = useRef(values);
  latest.current = values;
  return useMemo(
    () =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'function'
            ? (...given: unknown[]) =>
                (latest.current as Record<string, (...all: unknown[]) => unknown>)[name]?.(...given)
            : value,
        ]),
      ) as Values,
    [],
  );
}
