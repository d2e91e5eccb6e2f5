import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Sending } from '../../ui/forms/modal-form.tsx';
import { ReadOnlyForm } from '../../ui/forms/read-only-form.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';
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
  const missing = useMissingScope('workspace:write');
  return (
    <Section title={title}>
      <ReadOnlyForm
        className="p-4"
        sending={sending}
        action={common.save}
        missing={missing}
        reason={isChanged ? undefined : t.unchanged}
      >
        {children}
      </ReadOnlyForm>
    </Section>
  );
}
