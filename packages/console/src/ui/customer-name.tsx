import { useCustomerName } from '../data/customer-names.ts';

export function CustomerName({ id }: { id: string }) {
  const name = useCustomerName(id);
  if (name === undefined) return id;
  return (
    <>
      {name} <span className="font-normal text-quiet">{id}</span>
    </>
  );
}

/** The title of a screen about a customer: the name, and the id below. */
export function CustomerTitle({ id, name }: { id: string; name: string | undefined }) {
  if (name === undefined) return <span className="break-all">{id}</span>;
  return (
    <span className="block">
      <span className="wrap-anywhere">{name}</span>{' '}
      <span className="block text-xs font-normal break-all text-quiet">{id}</span>
    </span>
  );
}
