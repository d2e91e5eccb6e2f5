import type { ReactNode } from 'react';

interface Props {
  head: string[];
  rows: ReactNode[][];
  className?: string;
}

/** A small table without filters and selection. */
export function PlainTable({ head, rows, className = '' }: Props) {
  return (
    <table className={`w-full text-left ${className}`}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col" className="border-b border-line py-1 pr-4 font-medium text-quiet">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          <tr key={index} className="border-b border-line last:border-0">
            {cells.map((cell, at) => (
              <td key={head[at]} className="py-1 pr-4">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
