import type { ReactNode } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import type { Sending } from '../../ui/forms/modal-form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ReadOnly } from '../../ui/read-only.tsx';
import { Section } from '../../ui/states.tsx';

interface Props {
  title: string;
  sending: Sending;
  isChanged: boolean;
  children: ReactNode;
}

/** A part of the settings of the workspace, with the button that saves it. Without the scope, it is read-only. */
export function SettingsForm({ title, sending, isChanged, children }: Props) {
  const { settings: t, common } = useTexts();
  const { can } = useWorkspace();
  const { mutate, isPending, error } = sending;
  const missing = can('workspace:write') ? undefined : common.missingScope('workspace:write');
  const reason = missing ?? (isChanged ? undefined : t.unchanged);
  return (
    <Section title={title}>
      <form
        className="p-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === undefined && !isPending) mutate();
        }}
      >
        <ReadOnly reason={missing}>
          <div className="space-y-4">
            {children}
            {error && <Problem error={error} />}
            <Button type="submit" kind="primary" reason={reason} disabled={isPending}>
              {isPending ? common.working : common.save}
            </Button>
          </div>
        </ReadOnly>
      </form>
    </Section>
  );
}
