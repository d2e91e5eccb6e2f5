import type { Scope } from '@parley/client';
import { scopeNames } from '@parley/contracts/scopes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { browserZone, daysAgoIn } from '../../data/zone.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { ShownOnce } from '../../ui/forms/shown-once.tsx';
import { endOf, presetNames, presets } from './key-choices.ts';

/** Creates an API key with chosen scopes, and shows its secret once. */
export function CreateKey({ close }: { close(): void }) {
  const { access: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [scopes, setScopes] = useState<Scope[]>([]);
  const made = useMutation({
    mutationFn: () => client.keys.create({ name, scopes, expiresAt: endOf(lastDay) }),
    onSuccess: () => cache.invalidateQueries({ queryKey: [id, 'keys'] }),
  });
  return (
    <Modal
      title={t.create}
      about={made.data ? t.secretOnce : t.createAbout}
      isHeld={made.data !== undefined || made.isPending}
      close={close}
    >
      {made.data ? (
        <ShownOnce
          shown={[
            { label: t.key, text: made.data.apiKey },
            { label: t.secret, text: made.data.secret },
          ]}
          close={close}
        />
      ) : (
        <ModalForm sending={made} action={t.create} isReady={scopes.length > 0} close={close}>
          <TextField label={t.name} value={name} onChange={setName} required />
          <TextField
            type="date"
            label={t.lastDay}
            value={lastDay}
            min={daysAgoIn(browserZone(), 0)}
            onChange={setLastDay}
            className="self-start"
          />
          <ScopeChoice scopes={scopes} setScopes={setScopes} />
        </ModalForm>
      )}
    </Modal>
  );
}

/** The scopes of the key, by what it is for or one by one. A scope that the person does not have cannot be given. */
function ScopeChoice({ scopes, setScopes }: { scopes: Scope[]; setScopes(scopes: Scope[]): void }) {
  const { access: t, names } = useTexts();
  const { can } = useWorkspace();
  const [preset, setPreset] = useState<keyof typeof presets>('own');
  const choose = (name: keyof typeof presets): void => {
    setPreset(name);
    if (name !== 'own') setScopes(presets[name].filter(can));
  };
  const toggle = (scope: Scope): void => {
    setPreset('own');
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  };
  return (
    <>
      <SelectField
        label={t.preset}
        value={preset}
        options={presetNames.map((value) => ({ value, label: t.presets[value] }))}
        onChange={(value) => choose(value as keyof typeof presets)}
      />
      <fieldset>
        <legend className="mb-1 text-xs font-medium text-quiet">{t.scopes}</legend>
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          {scopeNames.map((scope) => (
            <label key={scope} className="flex min-h-6 items-start gap-2">
              <input
                type="checkbox"
                className="mt-1"
                checked={scopes.includes(scope)}
                disabled={!can(scope)}
                onChange={() => toggle(scope)}
              />
              <span>
                {names.scopes[scope]} <span className="block font-mono text-xs text-quiet">{scope}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </>
  );
}
