import { BookOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { base } from '../../environment.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Section } from '../../ui/states.tsx';

export function RunbookLink({ alert, about }: { alert: string; about: string }) {
  const { operator: t } = useTexts();
  return (
    <a
      href={`${base}/guides/runbooks/${alert}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t.runbookOf(about)}
      className="link inline-flex items-center gap-1 whitespace-nowrap"
    >
      <BookOpen size={13} aria-hidden="true" />
      {t.runbook}
    </a>
  );
}

interface PartProps {
  title: string;
  alert: string;
  children: ReactNode;
}

export function Part({ title, alert, children }: PartProps) {
  return (
    <Section title={title} aside={<RunbookLink alert={alert} about={title} />}>
      {children}
    </Section>
  );
}

interface TableProps {
  label: string;
  heading: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A short table. Without rows, it says that nobody has answered. */
export function Table({ label, heading, rows }: TableProps) {
  const { operator: t } = useTexts();
  if (rows.length === 0) return <p className="p-4 text-quiet">{t.noAnswer}</p>;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full text-left">
        <thead>
          <tr className="text-xs text-quiet">
            {heading.map((name) => (
              <th key={name} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-t border-line">
              {cells.map((cell, index) => (
                <td key={heading[index]} className="px-4 py-2 whitespace-nowrap tabular-nums">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 p-4">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-quiet">{name}</dt>
          <dd className="text-base font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
