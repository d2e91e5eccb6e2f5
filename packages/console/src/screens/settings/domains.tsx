import { useState } from 'react';
import { client } from '../../data/client.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { linesOf } from './fields.ts';
import { SettingsForm, useSaving } from './settings-form.tsx';

/** The pages that may have the widget, and show the portal in a frame. */
export function DomainsForm({ allowedDomains }: { allowedDomains: string[] }) {
  const { settings: t } = useTexts();
  const { id } = useWorkspace();
  const [text, setText] = useState(() => allowedDomains.join('\n'));
  const wanted = linesOf(text);
  const saved = useSaving(
    'workspace',
    () => client.workspaces.setAllowedDomains(id, { allowedDomains: wanted }),
    (data) => setText(data.allowedDomains.join('\n')),
  );
  const isChanged = wanted.join('\n') !== allowedDomains.join('\n');
  return (
    <SettingsForm title={t.domains} sending={saved} isChanged={isChanged}>
      <p className="max-w-prose text-quiet">{t.domainsAbout}</p>
      <TextAreaField
        label={t.domainsField}
        rows={Math.max(3, wanted.length + 1)}
        placeholder="https://shop.example"
        value={text}
        onChange={setText}
      />
    </SettingsForm>
  );
}
