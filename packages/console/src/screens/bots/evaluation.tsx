import type { Insight, InsightCounts, InsightNps, InsightNumbers } from '@parley/client';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { Bar } from '../../ui/bar.tsx';
import { Section } from '../../ui/states.tsx';
import { useNumbers } from '../../ui/time.tsx';
import { wordsOf } from '../../ui/words.ts';

const fewAnswers = 30;
const choicesShown = 12;

type Figures = Insight['evaluation'][string];

/** What customers have answered, by the keys of the evaluation. */
export function EvaluationFigures({ evaluation }: Pick<Insight, 'evaluation'>) {
  const entries = Object.entries(evaluation);
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      {entries.map(([key, figures]) => (
        <Section key={key} title={wordsOf(key)}>
          <div className="p-4">
            <KeyFigures figures={figures} />
          </div>
        </Section>
      ))}
    </div>
  );
}

function KeyFigures({ figures }: { figures: Figures }) {
  const { bots: t } = useTexts();
  if ('score' in figures) return <Nps figures={figures} />;
  if ('counts' in figures) return <Choices figures={figures} />;
  if ('mean' in figures) return <Numbers figures={figures} />;
  return <p className="text-quiet">{t.answers(figures.n)}</p>;
}

function useDecimal(): (value: number | null) => string {
  const { language } = useLanguage();
  return (value) =>
    value === null ? '–' : new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
}

function Nps({ figures }: { figures: InsightNps }) {
  const { bots: t } = useTexts();
  const { count } = useNumbers();
  const decimal = useDecimal();
  const { n, score, margin, promoters, passives, detractors } = figures;
  const groups = [
    [t.promoters, promoters, 'good'],
    [t.passives, passives, 'quiet'],
    [t.detractors, detractors, 'bad'],
  ] as const;
  return (
    <>
      <p className="text-xs text-quiet">{t.npsAbout}</p>
      <p className="text-2xl font-semibold tabular-nums">
        {decimal(score)} <span className="text-base font-normal text-quiet">± {decimal(margin)}</span>
      </p>
      {score !== null && margin !== null && (
        <p className="text-quiet">
          {t.margin(decimal(Math.max(-100, score - margin)), decimal(Math.min(100, score + margin)))}
        </p>
      )}
      <p className="text-quiet">{t.answers(n)}</p>
      {n < fewAnswers && <p className="mt-1 text-warn">! {t.fewAnswers}</p>}
      <ul className="mt-3 space-y-2">
        {groups.map(([name, value, tone]) => (
          <li key={name}>
            <div className="flex justify-between gap-4">
              <span>{name}</span>
              <span className="tabular-nums">{count(value)}</span>
            </div>
            <Bar parts={[{ value, tone }]} most={Math.max(1, n)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Choices({ figures }: { figures: InsightCounts }) {
  const { bots: t } = useTexts();
  const { count, share } = useNumbers();
  const entries = Object.entries(figures.counts).sort(([, one], [, other]) => other - one);
  return (
    <>
      <p className="text-quiet">{t.answers(figures.n)}</p>
      <ul className="mt-2 space-y-2">
        {entries.slice(0, choicesShown).map(([name, value]) => (
          <li key={name}>
            <div className="flex justify-between gap-4">
              <span className="min-w-0 truncate">{name}</span>
              <span className="tabular-nums">
                {count(value)} <span className="text-quiet">{share(figures.n && value / figures.n)}</span>
              </span>
            </div>
            <Bar parts={[{ value, tone: 'accent' }]} most={Math.max(1, figures.n)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Numbers({ figures }: { figures: InsightNumbers }) {
  const { bots: t } = useTexts();
  const decimal = useDecimal();
  return (
    <dl className="grid grid-cols-3 gap-4">
      {(
        [
          [t.mean, decimal(figures.mean)],
          [t.median, decimal(figures.median)],
          [t.answered, decimal(figures.n)],
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
