import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import type { Sending } from '../../ui/forms/modal-form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ReadOnly, useMissingScope } from '../../ui/read-only.tsx';
import { Section } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Returns a mutation that saves settings, under `name` in the cache. `show` gets what the API has stored. */
export function useSaving<Data>(
  name: string,
  save: () => Promise<Data>,
  show: (saved: Data) => void,
): UseMutationResult<Data, Error, void> {
  const { settings: t } = useTexts();
  const { id } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: save,
    onSuccess: (data) => {
      cache.setQueryData([id, name], data);
      show(data);
      toast(t.saved);
    },
  });
}

interface Props {
  title: string;
  sending: Sending;
  isChanged: boolean;
  children: ReactNode;
}

/** A part of the settings of the workspace, with the button that saves it. Without the scope, it is read-only. */
export function SettingsForm({ title, sending, isChanged, children }: Props) {
  const { settings: t, common } = useTexts();
  const { mutate, isPending, error } = sending;
  const missing = useMissingScope('workspace:write');
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
