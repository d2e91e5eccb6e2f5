import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../data/client.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ReadOnly } from '../../ui/read-only.tsx';
import { Section } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { linesOf } from './fields.ts';

/** The pages that may have the widget, and show the portal in a frame. */
export function DomainsForm({ allowedDomains }: { allowedDomains: string[] }) {
  const { settings: t, common } = useTexts();
  const { id, can } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const [text, setText] = useState(() => allowedDomains.join('\n'));
  const wanted = linesOf(text);
  const saved = useMutation({
    mutationFn: () => client.workspaces.setAllowedDomains(id, { allowedDomains: wanted }),
    onSuccess: (data) => {
      cache.setQueryData([id, 'workspace'], data);
      setText(data.allowedDomains.join('\n'));
      toast(t.saved);
    },
  });
  const missing = can('workspace:write') ? undefined : common.missingScope('workspace:write');
  const isChanged = wanted.join('\n') !== allowedDomains.join('\n');
  const reason = missing ?? (isChanged ? undefined : t.unchanged);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason === undefined && !saved.isPending) saved.mutate();
  };
  return (
    <Section title={t.domains}>
      <form onSubmit={submit} className="p-4">
        <ReadOnly reason={missing}>
          <div className="space-y-4">
            <p className="max-w-prose text-quiet">{t.domainsAbout}</p>
            <TextAreaField
              label={t.domainsField}
              rows={Math.max(3, wanted.length + 1)}
              placeholder="https://shop.example"
              value={text}
              onChange={setText}
            />
            {saved.error && <Problem error={saved.error} />}
            <Button type="submit" kind="primary" reason={reason} disabled={saved.isPending}>
              {saved.isPending ? common.working : common.save}
            </Button>
          </div>
        </ReadOnly>
      </form>
    </Section>
  );
}
