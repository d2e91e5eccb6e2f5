import type { Interaction, InteractionStatus } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ConfirmButton } from '../../ui/forms/window-button.tsx';
import { MoveAvailable } from './available/move-available.tsx';
import { ProblemLine } from '../../ui/problem.tsx';
import { LinkButtons } from './reach/link-buttons.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';

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
  const { id: workspaceId, client } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const missing = useMissingScope('interactions:write');
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
        <ConfirmButton
          key={status}
          reason={missing}
          disabled={changed.isPending}
          confirm={{
            title: `${t.changeTo[status]}?`,
            about: t.changeAbout,
            action: t.changeTo[status],
            isDangerous: status === 'Expired',
            run: () => changed.mutateAsync(status),
          }}
        >
          {t.changeTo[status]}
        </ConfirmButton>
      ))}
      <MoveAvailable interaction={interaction} missing={missing} />
      <LinkButtons interaction={interaction} missing={missing} />
      <ConfirmButton
        kind="danger"
        reason={missing}
        confirm={{
          title: t.deleteTitle,
          about: t.deleteAbout,
          typed: interaction.customerId,
          action: common.delete,
          run: remove,
        }}
      >
        <Trash2 size={15} aria-hidden="true" />
        {common.delete}
      </ConfirmButton>
    </>
  );
}
