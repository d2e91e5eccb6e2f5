import type { ContactPolicy } from '@parley/client';
import { contactLimits } from '@parley/contracts/limits';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { contactFields, contactNames, contactPolicyOf, isSamePolicy } from './fields.ts';
import { SettingsForm, useSaving } from './settings-form.tsx';

/** How often customers may be offered interactions. An empty field is no limit. */
export function ContactPolicyForm({ policy }: { policy: ContactPolicy }) {
  const { settings: t } = useTexts();
  const { client } = useWorkspace();
  const [fields, setFields] = useState(() => contactFields(policy));
  const wanted = contactPolicyOf(fields);
  const sending = useSaving(
    'contactPolicy',
    () => client.contactPolicy.update(wanted),
    (data) => setFields(contactFields(data)),
  );
  return (
    <SettingsForm title={t.contactPolicy} sending={sending} isChanged={!isSamePolicy(wanted, policy)}>
      <p className="text-quiet">{t.contactPolicyAbout}</p>
      {contactNames.map((name) => (
        <fieldset key={name} className="grid gap-4 sm:grid-cols-2">
          <legend className="mb-2 font-medium">{t.contactLimits[name]}</legend>
          {(['count', 'days'] as const).map((part) => (
            <TextField
              key={part}
              label={t.contactParts[part]}
              type="number"
              min={1}
              max={part === 'count' ? contactLimits.countMax : contactLimits.daysMax}
              placeholder={t.noLimit}
              value={fields[name][part]}
              onChange={(value) => setFields({ ...fields, [name]: { ...fields[name], [part]: value } })}
            />
          ))}
        </fieldset>
      ))}
    </SettingsForm>
  );
}
