import { describe, expect, test } from 'vitest';
import appointmentReminder from '../../samples/golden/appointment-reminder.json' with { type: 'json' };
import candidateScreening from '../../samples/golden/candidate-screening.json' with { type: 'json' };
import npsFollowUp from '../../samples/golden/nps-follow-up.json' with { type: 'json' };
import teaSurvey from '../../samples/golden/tea-survey.json' with { type: 'json' };
import { samples } from '../../tests/definitions.ts';
import { type Script, simulate } from './simulate.ts';

type Golden = {
  bot: string;
  paths: { name: string; script: Script; transcript: string[]; evaluation: Record<string, string> }[];
};

const goldens: Golden[] = [npsFollowUp, candidateScreening, appointmentReminder, teaSurvey].map(asGolden);

describe.each(goldens)('$bot', ({ bot, paths }) => {
  const definition = samples.find(({ key }) => key === bot);

  test.each(paths)('$name', ({ script, transcript, evaluation }) => {
    if (definition === undefined) throw new Error(`there is no sample ${bot}`);
    const conversation = simulate(definition, script);
    expect(conversation.transcript.map(({ type, body }) => `${type}: ${body}`)).toEqual(transcript);
    expect(conversation).toMatchObject({ evaluation, ended: true, input: null, rejected: [], unused: 0 });
    expect(Object.keys(conversation.evaluation)).toEqual(Object.keys(evaluation));
  });

  test('every step is on a path', () => {
    const said = paths.flatMap(({ transcript }) => transcript).join('\n');
    for (const step of definition?.steps ?? []) {
      if (!('text' in step) || typeof step.text !== 'string') continue;
      const fixed =
        step.text.split(/\{\{.*?\}\}/).toSorted((left, right) => right.length - left.length)[0] ?? '';
      expect(said).toContain(fixed);
    }
  });
});

// The JSON module's type is a union of every shape that stands in it.
function asGolden(file: { bot: string; paths: unknown }): Golden {
  if (!Array.isArray(file.paths)) throw new Error('a golden file has paths');
  return { bot: file.bot, paths: file.paths };
}
