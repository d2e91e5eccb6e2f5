import type { Interaction, InteractionStatus } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { MoveAvailable } from './available/move-available.tsx';
import { ProblemLine } from '../../ui/problem.tsx';
import { LinkButtons } from './reach/link-buttons.tsx';

/** The changes of status that a person makes. Others happen in the conversation. */
const changes: Record<InteractionStatus, InteractionStatus[]> = {
  Draft: ['Pending', 'Expired'],
  Pending: ['Draft', 'Expired'],
  InProgress: ['Completed', 'Expired'],
  Completed: [],
  Expired: [],
};

export function Controls({ interaction }: { interaction: Interaction }) {
  const { interactions: t, common } = useTexts();
  const { id: workspaceId, client, can } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asks, setAsks] = useState<'delete' | InteractionStatus>();
  const missing = can('interactions:write') ? undefined : common.missingScope('interactions:write');
  const close = (): void => setAsks(undefined);
  const changed = useMutation({
    mutationFn: (status: InteractionStatus) => client.interactions.update(interaction.id, { status }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: [workspaceId, 'interaction', interaction.id] });
      void cache.invalidateQueries({ queryKey: [workspaceId, 'interactions'] });
    },
  });
  const remove = async (): Promise<void> => {
    await client.interactions.delete(interaction.id);
    cache.removeQueries({ queryKey: [workspaceId, 'interaction', interaction.id] });
    void cache.invalidateQueries({ queryKey: [workspaceId, 'interactions'] });
    await navigate({ to: '/w/$workspaceId/interactions', params: { workspaceId } });
  };
  return (
    <>
      {changed.error && <ProblemLine error={changed.error} />}
      {changes[interaction.status].map((status) => (
        <Button key={status} reason={missing} disabled={changed.isPending} onClick={() => setAsks(status)}>
          {t.changeTo[status]}
        </Button>
      ))}
      <MoveAvailable interaction={interaction} missing={missing} />
      <LinkButtons interaction={interaction} missing={missing} />
      <Button kind="danger" reason={missing} onClick={() => setAsks('delete')}>
        <Trash2 size={15} aria-hidden="true" />
        {common.delete}
      </Button>
      <Confirm
        title={t.deleteTitle}
        about={t.deleteAbout}
        typed={interaction.customerId}
        action={common.delete}
        isOpen={asks === 'delete'}
        close={close}
        run={remove}
      />
      {asks !== undefined && asks !== 'delete' && (
        <Confirm
          title={`${t.changeTo[asks]}?`}
          about={t.changeAbout}
          action={t.changeTo[asks]}
          isDangerous={asks === 'Expired'}
          isOpen
          close={close}
          run={() => changed.mutateAsync(asks)}
        />
      )}
    </>
  );
}
