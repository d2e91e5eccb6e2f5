import type { EvaluationFigures, ValueCount } from '@parley/contracts/insight/v1/insight';
import { z } from 'zod';
import { count } from '../../values/count.ts';
import { typesBy } from '../../values/question-types.ts';

const n = count.meta({
  description: 'Started interactions that have the key, completed or not',
  examples: [8],
});

const distribution = z.record(z.string(), count).meta({
  description: 'How many have each value, rising; for a number at most the 1,000 most frequent ones',
  examples: [{ '6': 2, '7': 2, '9': 1, '10': 3 }],
});

const npsFigures = z
  .strictObject({
    n,
    score: z
      .number()
      .min(-100)
      .max(100)
      .nullable()
      .meta({ description: '`100 · (promoters − detractors) / n`; null without an answer', examples: [25] }),
    margin: z
      .number()
      .min(0)
      .nullable()
      .meta({
        description:
          '`196 · √((p + d − (p − d)²) / n)`, p and d being the shares of promoters and detractors: with 95 %, the ' +
          'true score is within `score` ± `margin`. Unreliable under 30 answers; null without an answer',
        examples: [57.457],
      }),
    promoters: count.meta({ description: 'Scores of 9 and 10', examples: [4] }),
    passives: count.meta({ description: 'Scores of 7 and 8', examples: [2] }),
    detractors: count.meta({ description: 'Scores of 0 to 6', examples: [2] }),
    distribution,
  })
  .meta({ id: 'InsightNps' });

const numberFigures = z
  .strictObject({
    n,
    mean: z
      .number()
      .nullable()
      .meta({ description: 'The mean; null without a value', examples: [4.25] }),
    median: z
      .number()
      .nullable()
      .meta({ description: 'The mean of the middle two of an even number of values', examples: [4.5] }),
    distribution,
  })
  .meta({ id: 'InsightNumbers' });

const countFigures = z
  .strictObject({
    n,
    counts: z.record(z.string(), count).meta({
      description:
        'How many have each choice; of multiChoice, an interaction may have several. Own words count as `other`',
      examples: [{ price: 1, delivery: 1, other: 0 }],
    }),
  })
  .meta({ id: 'InsightCounts' });

const rankFigures = z
  .strictObject({
    n,
    items: z
      .array(
        z.strictObject({
          value: z.string().meta({ examples: ['price'] }),
          meanRank: z
            .number()
            .nullable()
            .meta({ description: 'Of the answers that give it a place; null without any', examples: [1.75] }),
          first: count.meta({ description: 'How many have put it first', examples: [4] }),
        }),
      )
      .meta({ description: 'In the order of the question' }),
  })
  .meta({ id: 'InsightRanking' });

const rowFigures = z
  .strictObject({
    n,
    rows: z
      .array(
        z.strictObject({
          value: z.string().meta({ examples: ['speed'] }),
          counts: z.record(z.string(), count).meta({
            description: 'How many have chosen each column',
            examples: [{ good: 6, bad: 2 }],
          }),
        }),
      )
      .meta({ description: 'In the order of the question' }),
  })
  .meta({ id: 'InsightMatrix' });

const textFigures = z.strictObject({ n }).meta({ id: 'InsightTexts' });

const types = typesBy('figure');

export const evaluationFigures = z
  .record(
    z.string(),
    z.union([npsFigures, numberFigures, countFigures, rankFigures, rowFigures, textFigures]),
  )
  .meta({
    description:
      `By key, in the order of the newest version: of ${types.get('score')} (\`InsightNps\`), ` +
      `${types.get('numbers')} (\`InsightNumbers\`), ${types.get('counts')} (\`InsightCounts\`), ` +
      `${types.get('ranks')} (\`InsightRanking\`), ${types.get('rows')} (\`InsightMatrix\`), ` +
      'and of texts and personal keys (`InsightTexts`)',
    examples: [
      {
        nps_score: {
          n: 8,
          score: 25,
          margin: 57.457,
          promoters: 4,
          passives: 2,
          detractors: 2,
          distribution: { '6': 2, '7': 2, '9': 1, '10': 3 },
        },
        why: { n: 3 },
      },
    ],
  });

export function toEvaluation(rows: EvaluationFigures[]): z.input<typeof evaluationFigures> {
  return byName(rows.map((row) => [row.key, figuresOf(row)]));
}

function figuresOf({ n, values }: EvaluationFigures): z.input<typeof evaluationFigures>[string] {
  switch (values?.$case) {
    case 'nps': {
      const { score, margin, promoters, passives, detractors, distribution } = values.value;
      const shown = { n, score: score ?? null, margin: margin ?? null, promoters, passives, detractors };
      return { ...shown, distribution: countsOf(distribution) };
    }
    case 'numbers': {
      const { mean, median, distribution } = values.value;
      return { n, mean: mean ?? null, median: median ?? null, distribution: countsOf(distribution) };
    }
    case 'counts':
      return { n, counts: countsOf(values.value.counts) };
    case 'ranks': {
      const items = values.value.items.map(({ value, meanRank, first }) => {
        return { value, meanRank: meanRank ?? null, first };
      });
      return { n, items };
    }
    case 'rows':
      return {
        n,
        rows: values.value.rows.map(({ value, counts }) => ({ value, counts: countsOf(counts) })),
      };
    case undefined:
      return { n };
  }
}

function countsOf(rows: ValueCount[]): Record<string, number> {
  return byName(rows.map(({ value, n }) => [value, n]));
}

// A key or choice may be named `__proto__`, which assignment would drop.
function byName<Value>(entries: [string, Value][]): Record<string, Value> {
  return Object.fromEntries(entries);
}
