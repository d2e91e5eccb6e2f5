import { useContext } from 'preact/hooks';
import type { Waiting } from '../../model.ts';
import { BrandContext } from '../look/brand.tsx';
import { useLanguage } from '../language/language-context.ts';
import { Said } from './said.tsx';

/** What the conversation takes, and the workspace's line about privacy. */
export function EffortFacts({ effort }: { effort: Waiting['effort'] }) {
  const { say } = useLanguage();
  const { privacyText } = useContext(BrandContext);
  return (
    <div class="facts">
      {effort && effort.questionsMax > 0 && (
        <p>
          {say('questions', { n: rangeOf(effort.questionsMin, effort.questionsMax) })}
          {' · '}
          {say('minutes', { n: effort.minutes })}
        </p>
      )}
      {privacyText && (
        <p dir="auto">
          <Said words={privacyText} />
        </p>
      )}
    </div>
  );
}

function rangeOf(min: number, max: number): string {
  return min === max ? String(max) : `${min}–${max}`;
}
