import { ParleyError } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useWorkspace } from '../../../../data/workspace.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { TextField } from '../../../../ui/forms/field.tsx';
import { Problem } from '../../../../ui/problem.tsx';
import { Section } from '../../../../ui/states.tsx';
import { useToast } from '../../../../ui/toast.tsx';
import type { Saver } from '../draft/saver.ts';
import { useMissingScope } from '../../../../ui/read-only.tsx';

interface Props {
  botId: string;
  /** The version that must still be live. */
  base: number;
  /** The version that is live, as far as the console knows. */
  live: number;
  text: string;
  /** Undefined without the right to save. */
  saver: Saver | undefined;
  /** Why it cannot be published now. */
  reason: string | undefined;
  setBase(version: number): void;
  /** Called with the text that was sent: the editor may have another one by then. */
  onPublished(version: number, text: string): void;
  onRefused(error: Error, text: string): void;
}

/** Publishes the text in the editor with a note, unless somebody else has published since. */
export function Publish(props: Props) {
  const { base, live, text, reason, setBase } = props;
  const { editor: t, common } = useTexts();
  const [note, setNote] = useState('');
  const published = usePublication(props, note, () => setNote(''));
  const missing = useMissingScope('bots:write');
  const stop = missing ?? reason;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (stop === undefined && !published.isPending) published.mutate(text);
  };
  const { error } = published;
  const isOvertaken = error instanceof ParleyError && error.type === 'unexpected-bot-version';
  return (
    <Section title={t.publishTitle}>
      <form onSubmit={submit} className="space-y-3 p-4">
        <p className="text-quiet">{t.publishAbout(base)}</p>
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <TextField label={t.note} value={note} onChange={setNote} />
          </div>
          <Button type="submit" kind="primary" reason={stop} disabled={published.isPending}>
            {published.isPending ? common.working : t.publish}
          </Button>
        </div>
        {stop !== undefined && <p className="text-quiet">{stop}</p>}
        {error && <Problem error={error} />}
        {isOvertaken && live !== base && (
          <p className="flex flex-wrap items-center gap-3">
            {t.overtaken(live)}
            <Button
              onClick={() => {
                setBase(live);
                published.reset();
              }}
            >
              {t.compareWith(live)}
            </Button>
          </p>
        )}
      </form>
    </Section>
  );
}

function usePublication(
  { botId, base, saver, onPublished, onRefused }: Props,
  note: string,
  clearNote: () => void,
) {
  const { editor: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: [id, 'bot', botId] });
  return useMutation({
    mutationFn: async (_text: string) => {
      // The ETag says which draft: somebody else may have saved another one.
      const ifMatch = await saver?.flush();
      const body = { publishDraft: true as const, ...(note !== '' && { note }), expectedVersion: base };
      return client.bots.publishVersion(botId, body, ifMatch === undefined ? {} : { ifMatch });
    },
    onSuccess: async ({ version }, sent) => {
      clearNote();
      toast(t.published(version));
      await refresh();
      onPublished(version, sent);
    },
    onError: (failure, sent) => {
      onRefused(failure, sent);
      return refresh();
    },
  });
}
