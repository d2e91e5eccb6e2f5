import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useBots } from '../data/bots.ts';
import { webhooksQuery } from '../data/deliveries.ts';
import { browserValues } from '../data/session/storage.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Button } from '../ui/forms/button.tsx';
import { opening } from '../ui/forms/opening.ts';
import { Section } from '../ui/states.tsx';
import { countInteractions, type FirstStep, stepsOf } from './first-steps.ts';

/** What to do in a new workspace. What exists ticks a step off, so nothing is stored but that it was dismissed. */
export function FirstSteps() {
  const { overview: t } = useTexts();
  const { id, can } = useWorkspace();
  const dismissedKey = `parley-console-first-steps-${id}`;
  const [isDismissed, setDismissed] = useState(() => browserValues.getItem(dismissedKey) !== null);
  return isDismissed || !can('bots:write') ? null : (
    <Steps
      dismiss={
        <Button
          isSmall
          onClick={() => {
            browserValues.setItem(dismissedKey, 'dismissed');
            setDismissed(true);
          }}
        >
          {t.dismiss}
        </Button>
      }
    />
  );
}

function Steps({ dismiss }: { dismiss: ReactNode }) {
  const { overview: t } = useTexts();
  const { data: bots } = useBots();
  const { found, isLoading } = useFound(bots?.length);
  const steps = isLoading ? [] : stepsOf(found);
  if (steps.length === 0) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title={t.firstSteps} aside={dismiss}>
      <p className="px-4 pt-3 text-quiet">{t.stepsDone(done, steps.length)}</p>
      <ol className="p-2">
        {steps.map(({ step, isDone }) => (
          <li key={step} className="flex items-start gap-3 px-2 py-2">
            {isDone ? (
              <Check size={18} aria-label={t.isDone} className="mt-0.5 shrink-0 text-good" />
            ) : (
              <Circle size={18} aria-label={t.isOpen} className="mt-0.5 shrink-0 text-quiet" />
            )}
            <div className="min-w-0">
              <StepLink step={step} botId={bots?.[0]?.id} />
              <p className="text-quiet">{t.steps[step].about}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function StepLink({ step, botId }: { step: FirstStep; botId: string | undefined }) {
  const { overview: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const { name } = t.steps[step];
  const shared = { className: 'link font-medium', children: name };
  const params = { workspaceId };
  if (step === 'bot')
    return <Link to="/w/$workspaceId/bots" params={params} state={opening('bot')} {...shared} />;
  if (step === 'key')
    return <Link to="/w/$workspaceId/access" params={params} state={opening('key')} {...shared} />;
  if (step === 'webhook')
    return <Link to="/w/$workspaceId/webhooks" params={params} state={opening('webhook')} {...shared} />;
  if (botId === undefined) return <span className="font-medium">{name}</span>;
  if (step === 'try') {
    const ofBot = { to: '/w/$workspaceId/bots/$botId', params: { ...params, botId } } as const;
    return <Link {...ofBot} state={opening('try')} {...shared} />;
  }
  return <Link to="/w/$workspaceId/interactions/import" params={params} {...shared} />;
}

/** What there is in the workspace, as far as the person may see it. */
function useFound(bots: number | undefined) {
  const workspace = useWorkspace();
  const { id, client, can } = workspace;
  const counts = useQuery({
    queryKey: [id, 'first steps'],
    queryFn: async ({ signal }) => ({
      keys: can('keys:read') ? (await client.keys.list({ limit: 1 }, { signal })).data.length : undefined,
      ...(can('interactions:read') && {
        interactions: await countInteractions(workspace, { isTest: false }, signal),
        tried:
          (await countInteractions(workspace, { isTest: true }, signal)) ||
          (await countInteractions(workspace, { status: 'InProgress' }, signal)) ||
          (await countInteractions(workspace, { status: 'Completed' }, signal)),
      }),
    }),
  });
  const webhooks = useQuery({ ...webhooksQuery(workspace), enabled: can('webhooks:read') });
  const { keys, interactions, tried } = counts.data ?? {};
  return {
    found: { bots, keys, interactions, tried, webhooks: webhooks.data?.length },
    isLoading: bots === undefined || counts.isLoading || webhooks.isLoading,
  };
}
