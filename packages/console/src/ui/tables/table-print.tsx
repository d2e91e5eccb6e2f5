import type { Rows } from '../../data/rows.ts';
import { useTexts } from '../../texts/texts.tsx';
import { usePrinted } from './printing.ts';
import { useProblem } from '../problem.tsx';
import { useNumbers } from '../time.tsx';
import { useToast } from '../toast.tsx';

interface Props<Row> {
  label: string;
  rows: Rows<Row>;
  columns: readonly { id?: string; header?: unknown; draw(row: Row): React.ReactNode }[];
}

/** A list on paper: every row is in the flow of the page, and none is cut in two. */
export function PrintedTable<Row>({ label, rows: list, columns }: Props<Row>) {
  const { common } = useTexts();
  const toast = useToast();
  const words = useProblem();
  const printed = usePrinted(list, (error) => toast(words(error)));
  const { count } = useNumbers();
  if (!printed) return null;
  const { rows, total } = printed;
  return (
    <div className="hidden print:block">
      {rows.length < total && <p>{common.printedPart(count(rows.length), count(total))}</p>}
      <table aria-label={label} className="w-full text-left text-xs">
        <thead>
          <tr>
            {columns.map(({ id, header }) => (
              <th key={id} scope="col" className="border-b border-line py-1 pr-3 font-medium">
                {header as string}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="break-inside-avoid border-b border-line">
              {columns.map(({ id, draw }) => (
                <td key={id} className="py-1 pr-3 align-top wrap-anywhere">
                  {draw(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
