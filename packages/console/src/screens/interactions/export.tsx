import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ProblemLine } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useToast } from '../../ui/toast.tsx';
import type { queryOf } from './filters.ts';

/** Saves what the list shows as CSV. */
export function ExportMenu({ query }: { query: ReturnType<typeof queryOf> }) {
  const { interactions: t, common } = useTexts();
  const { client } = useWorkspace();
  const toast = useToast();
  const saved = useMutation({
    mutationFn: async () => {
      const stream = await client.interactions.export(query).csv();
      saveFile('interactions.csv', await new Response(stream).blob());
    },
    onSuccess: () => toast(t.exported),
  });
  const reason = query.botId === undefined ? t.exportNeedsBot : undefined;
  return (
    <>
      {saved.error && <ProblemLine error={saved.error} />}
      <Button reason={reason} disabled={saved.isPending} onClick={() => saved.mutate()}>
        <Download size={15} aria-hidden="true" />
        {saved.isPending ? common.working : t.exportCsv}
      </Button>
    </>
  );
}
