import type { Interaction, InteractionHistory } from '@parley/client';
import { beginsDay, historyOf, isWithdrawn } from '../../data/history.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../../ui/classes.ts';
import { hasHidden } from '../../ui/hidden-text.ts';
import { Personal } from '../../ui/hidden.tsx';
import { Time } from '../../ui/time.tsx';

export function Transcript({ interaction }: { interaction: Interaction }) {
  const { interactions: t } = useTexts();
  const { can } = useWorkspace();
  const history = historyOf(interaction);
  if (!history) {
    return (
      <p className="p-4 text-quiet">
        {interaction.data === null ? t.notStarted : <Personal text={interaction.data} />}
      </p>
    );
  }
  const isHidden = !can('personal-data:read') && history.transcript.some(({ body }) => hasHidden(body));
  return (
    <>
      {isHidden && <p className="p-4 pb-0 text-quiet">{t.hiddenWhy}</p>}
      <ol className="space-y-3 p-4">
        {history.transcript.map((entry, index) => {
          const isNewDay = beginsDay(entry, history.transcript[index - 1]);
          const isOff = isWithdrawn(interaction, index);
          return <Entry key={index} entry={entry} isNewDay={isNewDay} isOff={isOff} />;
        })}
      </ol>
    </>
  );
}

function Entry(props: {
  entry: InteractionHistory['transcript'][number];
  isNewDay: boolean;
  isOff: boolean;
}) {
  const { entry, isNewDay, isOff } = props;
  const { interactions: t } = useTexts();
  const { type, body, timestamp } = entry;
  const isCustomer = type === 'customer';
  return (
    <li className={classes('flex flex-col gap-1', isCustomer ? 'items-end' : 'items-start')}>
      <p
        className={classes(
          'max-w-[85%] rounded-2xl px-3.5 py-2 break-words whitespace-pre-wrap',
          isCustomer
            ? 'rounded-br-sm bg-accent text-accent-ink print:border print:bg-panel print:text-ink'
            : 'rounded-bl-sm bg-raised print:border',
        )}
      >
        <span className="sr-only">
          {isOff && `${t.withdrawn} `}
          {isCustomer ? t.customerSaid : t.botSaid}{' '}
        </span>
        {isOff ? (
          <s>
            <Personal text={body} />
          </s>
        ) : (
          <Personal text={body} />
        )}
      </p>
      {entry.consent && (
        <span className="max-w-[85%] px-1 text-xs break-all text-quiet">
          {t.consentTo(entry.consent.locale)} <code>{entry.consent.sha256}</code>
        </span>
      )}
      {entry.order && (
        <span className="max-w-[85%] px-1 text-xs break-words text-quiet">
          {t.shownAs(entry.order.join(', '))}
        </span>
      )}
      <span className="px-1 text-xs text-quiet">
        <Time at={new Date(timestamp * 1000)} isTime={!isNewDay} isExact />
      </span>
    </li>
  );
}
