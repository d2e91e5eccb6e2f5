import type { InteractionSearch } from './filters.ts';

/** A column as far as its choice goes. Optional ones are shown only if they are chosen. */
interface Choosable {
  id?: string | undefined;
  isOptional?: boolean;
}

/** Returns the ids of the columns that the address hides. */
export function hiddenIn(
  { hide = '', show = '' }: InteractionSearch,
  columns: readonly Choosable[],
): string[] {
  const shown = show.split(',');
  const optional = columns.filter(({ id = '', isOptional }) => isOptional && !shown.includes(id));
  return [...hide.split(','), ...optional.map(({ id = '' }) => id)];
}

/** Returns the change of the address that shows a column, or hides it if it is shown. */
export function toggledColumn(
  search: InteractionSearch,
  { id = '', isOptional }: Choosable,
): InteractionSearch {
  const name = isOptional ? 'show' : 'hide';
  const chosen = search[name]?.split(',') ?? [];
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
  return { [name]: next.join(',') };
}
