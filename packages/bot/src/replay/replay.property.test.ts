import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerTo, customer, definitions, tries } from '../../tests/random-conversations.ts';
import { answer, beginConversation } from '../engine/engine.ts';
import { compareCourses, replay } from './replay.ts';

const now = 1_767_225_600;

test('any finished conversation that asked nothing twice goes the same way again', () => {
  fc.assert(
    fc.property(definitions, tries, (definition, script) => {
      let turn = beginConversation(definition, { customer, context: {}, now });
      const asked: string[] = [];
      for (const one of script) {
        if (!turn.input) break;
        const { stepId } = turn.input;
        const outcome = answer(definition, turn.state, { stepId, answer: answerTo(turn.input, one), now });
        if ('rejected' in outcome) continue;
        asked.push(stepId);
        turn = outcome;
      }
      fc.pre(turn.ended && new Set(asked).size === asked.length);
      fc.pre(turn.state.awaiting === undefined && definition.steps.every(({ kind }) => kind !== 'llm'));
      const course = replay(definition, turn.state);
      if (course.stopped) return;
      expect(course).toMatchObject({
        stepIds: asked,
        endStepId: turn.endStepId,
        evaluation: turn.evaluation,
      });
      expect(compareCourses(course, replay(definition, turn.state))).toBeUndefined();
    }),
  );
});
