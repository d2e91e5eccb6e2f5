import type { Insight, InsightNumbers } from '@parley/client';
import { type Group, keyReport, type KeyReport } from '@parley/report/insight';
import { keyWords } from '@parley/report/key-words';
import { useMemo } from 'react';
import { useDefinition } from '../../../data/bots.ts';
import { useLanguage, useTexts } from '../../../texts/texts.tsx';
import { Bar } from '../../../ui/bar.tsx';
import { Section } from '../../../ui/states.tsx';
import { useDecimal, useNumbers } from '../../../ui/time.tsx';
import { knownWord, withoutPlaceholders, wordsOf } from '../../../ui/words.ts';
import type { InsightSearch } from './insight-query.ts';
import { Quotes } from './quotes.tsx';
import { NpsByWeek } from './weeks.tsx';

type Report<Kind extends KeyReport['kind']> = Extract<KeyReport, { kind: Kind }>;

/** Returns the words of a value. */
type Say = (value: string) => string;

interface Props {
  insight: Insight;
  search: InsightSearch;
}

/** A card per key of the evaluation, in the words of its question. */
export function EvaluationFigures({ insight: { bot, evaluation, weeks }, search }: Props) {
  const { bots: t } = useTexts();
  const { language } = useLanguage();
  const definition = useDefinition(bot.id, search.version);
  const words = useMemo(() => keyWords(definition, language), [definition, language]);
  const entries = Object.entries(evaluation);
  const firstScore = entries.find(([, figures]) => 'score' in figures)?.[0];
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      {entries.map(([key, figures]) => {
        const { questions = [], labels } = words.get(key) ?? {};
        const [question] = questions;
        const report = keyReport(figures);
        const say: Say = (value) =>
          labels?.get(value) ?? (Object.hasOwn(t.values, value) ? knownWord(t.values, value) : value);
        return (
          <Section
            key={key}
            // No words of one question stand for several.
            title={
              question === undefined || questions.length > 1 ? wordsOf(key) : withoutPlaceholders(question)
            }
          >
            <div className="p-4">
              {question !== undefined && (
                <code className="mb-2 block font-mono text-xs text-quiet">{key}</code>
              )}
              {questions.length > 1 && (
                <ul aria-label={t.questions} className="mb-2 list-disc ps-5 text-quiet">
                  {questions.map((one) => (
                    <li key={one}>{withoutPlaceholders(one)}</li>
                  ))}
                </ul>
              )}
              <KeyFigures report={report} say={say} />
              {key === firstScore && weeks && <NpsByWeek weeks={weeks} />}
              {report.kind === 'answers' && report.figures.n > 0 && (
                <Quotes botId={bot.id} search={search} name={key} />
              )}
            </div>
          </Section>
        );
      })}
    </div>
  );
}

function KeyFigures({ report, say }: { report: KeyReport; say: Say }) {
  const { bots: t } = useTexts();
  if (report.kind === 'score') return <Nps report={report} />;
  if (report.kind === 'counts') return <Choices report={report} say={say} />;
  if (report.kind === 'numbers') return <Numbers figures={report.figures} />;
  if (report.kind === 'ranks') return <Ranks report={report} say={say} />;
  if (report.kind === 'rows') return <Rows report={report} say={say} />;
  return <p className="text-quiet">{t.answers(report.figures.n)}</p>;
}

const tones = { promoters: 'good', passives: 'quiet', detractors: 'bad' } as const;

function Nps({ report: { figures, range, isRough, groups } }: { report: Report<'score'> }) {
  const { bots: t } = useTexts();
  const decimal = useDecimal();
  const { n, score, margin } = figures;
  return (
    <>
      <p className="text-xs text-quiet">{t.npsAbout}</p>
      <p className="text-2xl font-semibold tabular-nums">
        {decimal(score)} <span className="text-base font-normal text-quiet">± {decimal(margin)}</span>
      </p>
      {range && <p className="text-quiet">{t.margin(decimal(range.low), decimal(range.high))}</p>}
      <p className="text-quiet">{t.answers(n)}</p>
      {isRough && <p className="mt-1 text-warn">! {t.fewAnswers}</p>}
      <Groups
        groups={groups.map((group) => ({
          ...group,
          words: `${t.figures[group.name]} (${t.groups[group.name]})`,
          tone: tones[group.name],
        }))}
        n={n}
      />
    </>
  );
}

function Choices({ report: { figures, groups }, say }: { report: Report<'counts'>; say: Say }) {
  const { bots: t } = useTexts();
  return (
    <>
      <p className="text-quiet">{t.answers(figures.n)}</p>
      <Groups
        groups={groups.map((group) => ({ ...group, words: say(group.name), tone: 'accent' }))}
        n={figures.n}
      />
    </>
  );
}

function Ranks({ report: { figures, items }, say }: { report: Report<'ranks'>; say: Say }) {
  const { bots: t } = useTexts();
  const decimal = useDecimal();
  const { count, share } = useNumbers();
  return (
    <>
      <p className="text-quiet">{t.answers(figures.n)}</p>
      <table className="mt-3 w-full">
        <thead className="text-xs text-quiet">
          <tr>
            <th scope="col" className="text-start font-normal">
              {t.ranked.choice}
            </th>
            <th scope="col" className="text-end font-normal">
              {t.ranked.mean}
            </th>
            <th scope="col" className="text-end font-normal">
              {t.ranked.first}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.name}>
              <th scope="row" className="text-start font-normal break-words">
                {say(item.name)}
              </th>
              <td className="text-end tabular-nums">{decimal(item.meanRank)}</td>
              <td className="text-end tabular-nums">
                {count(item.count)} <span className="text-quiet">{share(item.share)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Rows({ report: { figures, rows }, say }: { report: Report<'rows'>; say: Say }) {
  const { bots: t } = useTexts();
  return (
    <>
      <p className="text-quiet">{t.answers(figures.n)}</p>
      {rows.map(({ name, groups }) => (
        <section key={name} className="mt-3" aria-label={say(name)}>
          <h4 className="font-semibold break-words">{say(name)}</h4>
          <Groups
            groups={groups.map((group) => ({ ...group, words: say(group.name), tone: 'accent' }))}
            n={groups.reduce((sum, group) => sum + group.count, 0)}
          />
        </section>
      ))}
    </>
  );
}

interface GroupsProps {
  groups: (Group & { words: string; tone: 'good' | 'quiet' | 'bad' | 'accent' })[];
  /** All answers. */
  n: number;
}

/** Parts of the answers, with a bar each. */
function Groups({ groups, n }: GroupsProps) {
  const { count, share } = useNumbers();
  return (
    <ul className="mt-3 space-y-2">
      {groups.map((group) => (
        <li key={group.name}>
          <div className="flex justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">{group.words}</span>
            <span className="tabular-nums">
              {count(group.count)} <span className="text-quiet">{share(group.share)}</span>
            </span>
          </div>
          <Bar parts={[{ value: group.count, tone: group.tone }]} most={Math.max(1, n)} />
        </li>
      ))}
    </ul>
  );
}

function Numbers({ figures }: { figures: InsightNumbers }) {
  const { bots: t } = useTexts();
  const decimal = useDecimal();
  return (
    <dl className="grid grid-cols-3 gap-4">
      {(
        [
          [t.figures.mean, decimal(figures.mean)],
          [t.figures.median, decimal(figures.median)],
          [t.figures.answered, decimal(figures.n)],
        ] as const
      ).map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-quiet">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
