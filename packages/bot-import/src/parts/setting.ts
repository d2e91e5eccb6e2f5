import type { BotDefinition } from '@parley/bot/format';
import type { Report } from '../report/report.ts';
import { type Flow, newFlow } from './flow.ts';
import { type Namer, namer } from './names.ts';

/** What the converters of all products build with. */
export type Setting = {
  report: Report;
  flow: Flow;
  /** Names of steps, context properties and evaluation keys. */
  names: { step: Namer; context: Namer; evaluation: Namer };
};

/** What a converter finds besides the steps. */
export type Converted = {
  name: string;
  locale: string;
  context: NonNullable<BotDefinition['context']>;
  evaluation: string[];
};

export function newSetting(report: Report): Setting {
  const step = namer();
  return {
    report,
    flow: newFlow(step, report),
    names: { step, context: namer({ keepsNames: true }), evaluation: namer({ keepsNames: true }) },
  };
}
