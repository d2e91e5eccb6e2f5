import { openLinkLimits } from '@parley/contracts/limits';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { botQuery } from '../../../data/bots.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { browserZone, daysAgoIn } from '../../../data/zone.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Modal } from '../../../ui/forms/dialog.tsx';
import { CheckField, TextField } from '../../../ui/forms/field.tsx';
import { ModalForm } from '../../../ui/forms/modal-form.tsx';
import { endOf } from '../../access/key-choices.ts';

/** Makes an open link of a bot. */
export function CreateOpenLink({ botId, close }: { botId: string; close(): void }) {
  const { links: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [most, setMost] = useState('');
  const [contextKeys, setContextKeys] = useState<string[]>([]);
  const [isTest, setTest] = useState(false);
  const made = useMutation({
    mutationFn: () =>
      client.bots.openLinks.create(botId, {
        name,
        expiresAt: endOf(lastDay),
        responsesMax: most === '' ? null : Number(most),
        contextKeys,
        isTest,
      }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: [id, 'open-links', botId] });
      close();
    },
  });
  return (
    <Modal title={t.create} about={t.createAbout} close={close}>
      <ModalForm sending={made} action={t.create} isReady={name.trim() !== ''} close={close}>
        <TextField label={t.name} value={name} onChange={setName} required />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            type="date"
            label={t.lastDay}
            value={lastDay}
            min={daysAgoIn(browserZone(), 0)}
            onChange={setLastDay}
          />
          <TextField
            type="number"
            label={t.most}
            min={1}
            max={openLinkLimits.responsesMax}
            value={most}
            onChange={setMost}
          />
        </div>
        <ContextKeys botId={botId} chosen={contextKeys} choose={setContextKeys} />
        <CheckField label={t.isTest} about={t.isTestAbout} checked={isTest} onChange={setTest} />
      </ModalForm>
    </Modal>
  );
}

interface ContextKeysProps {
  botId: string;
  chosen: string[];
  choose(keys: string[]): void;
}

/** The context of the bot that comes from the address. */
function ContextKeys({ botId, chosen, choose }: ContextKeysProps) {
  const { links: t } = useTexts();
  const { data: bot } = useQuery(botQuery(useWorkspace(), botId));
  if (!bot || bot.context.length === 0) return null;
  const toggle = (key: string, isChosen: boolean): void =>
    choose(isChosen ? [...chosen, key] : chosen.filter((one) => one !== key));
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-quiet">{t.contextKeys}</legend>
      {bot.context.map((key) => (
        <CheckField
          key={key}
          label={key}
          checked={chosen.includes(key)}
          onChange={(isChosen) => toggle(key, isChosen)}
        />
      ))}
    </fieldset>
  );
}
