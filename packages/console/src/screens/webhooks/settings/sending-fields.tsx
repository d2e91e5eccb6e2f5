import type { WebhookOrdering } from '@parley/client';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../../ui/forms/field.tsx';
import { SecretToken } from '../create.tsx';
import type { FieldsProps } from './event-fields.tsx';

const orderings: WebhookOrdering[] = ['none', 'perCustomer', 'strict'];

/** Where events are sent to, how fast and how signed. */
export function SendingFields({ draft, options, set }: FieldsProps) {
  const { webhookSettings: s } = useTexts();
  const { can, portalWebhooks } = useWorkspace();
  const isLimited = Boolean(portalWebhooks);
  const isUrlFixed = portalWebhooks !== undefined && !can('personal-data:read');
  return (
    <div className="space-y-4 p-4">
      <TextField
        type="url"
        label={s.url}
        value={draft.url}
        readOnly={isUrlFixed}
        onChange={(url) => set({ url })}
        required
      />
      {!isLimited && (
        <SecretToken value={draft.secretToken} onChange={(secretToken) => set({ secretToken })} />
      )}
      <SelectField
        label={s.ordering}
        value={draft.ordering}
        options={orderings.map((value) => ({ value, label: s.orderings[value] }))}
        onChange={(ordering) => set({ ordering: ordering as WebhookOrdering })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={s.perSecond}
          inputMode="decimal"
          placeholder={s.unlimited}
          value={draft.perSecond}
          onChange={(perSecond) => set({ perSecond })}
          required={draft.burst !== ''}
        />
        <TextField
          label={s.burst}
          inputMode="numeric"
          placeholder={s.unlimited}
          value={draft.burst}
          onChange={(burst) => set({ burst })}
          required={draft.perSecond !== ''}
        />
      </div>
      {!isLimited && <Headers draft={draft} options={options} set={set} />}
      <CheckField
        label={s.asymmetric}
        about={s.asymmetricAbout}
        checked={draft.asymmetricSignature}
        onChange={(asymmetricSignature) => set({ asymmetricSignature })}
      />
      {options.publicKeys.map((key) => (
        <p key={key} className="flex items-center gap-2 rounded-md bg-raised p-2">
          <code className="min-w-0 flex-1 font-mono text-xs break-all">{key}</code>
          <CopyButton text={key} label={s.copyKey} />
        </p>
      ))}
    </div>
  );
}

/** The names of the header fields. Their values are never shown, so they can only be replaced together. */
function Headers({ draft, options: { headerNames }, set }: FieldsProps) {
  const { webhookSettings: s, common } = useTexts();
  if (draft.headers !== undefined) {
    return (
      <div className="space-y-2">
        <TextAreaField
          label={s.headers}
          rows={4}
          placeholder="x-api-key: 7f3c1a0e9b"
          value={draft.headers}
          onChange={(headers) => set({ headers })}
        />
        <p className="text-xs text-quiet">{s.headersAbout}</p>
        <Button isSmall onClick={() => set({ headers: undefined })}>
          {common.cancel}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-xs font-medium text-quiet">{s.headers}</span>
      <span className="font-mono text-xs">{headerNames.join(', ') || '–'}</span>
      <Button isSmall onClick={() => set({ headers: headerNames.map((name) => `${name}: \n`).join('') })}>
        {s.replaceHeaders}
      </Button>
    </div>
  );
}
