import { type BotDefinition, validateDefinition } from '../src/validation/definition.ts';
import appointmentReminder from '../samples/appointment-reminder.json' with { type: 'json' };
import candidateScreening from '../samples/candidate-screening.json' with { type: 'json' };
import npsFollowUp from '../samples/nps-follow-up.json' with { type: 'json' };
import teaSurvey from '../samples/tea-survey.json' with { type: 'json' };

/** Returns the valid definition in a value. Throws its faults. */
export function valid(value: unknown): BotDefinition {
  const outcome = validateDefinition(value);
  if ('faults' in outcome) throw new Error(JSON.stringify(outcome.faults, null, 2));
  return outcome.definition;
}

/** Returns a bot of these steps, with the other given properties. */
export function draft(steps: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { schemaVersion: 1, key: 'test', name: 'Test', type: 'Test', steps, ...more };
}

/** The sample bots of Parley. */
export const samples: BotDefinition[] = [npsFollowUp, candidateScreening, appointmentReminder, teaSurvey].map(
  valid,
);
