import type { Customer } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Opens the form that changes a customer's names and e-mail address. */
export function EditProfile({ customer }: { customer: Customer }) {
  const { customers: t, common } = useTexts();
  const { can } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  // Without the right to see the values, a form would overwrite them.
  const scope = (['customers:write', 'personal-data:read'] as const).find((one) => !can(one));
  return (
    <>
      <Button isSmall reason={scope && common.missingScope(scope)} onClick={() => setOpen(true)}>
        {t.edit}
      </Button>
      {isOpen && <ProfileForm customer={customer} close={() => setOpen(false)} />}
    </>
  );
}

function ProfileForm({ customer, close }: { customer: Customer; close(): void }) {
  const { customers: t, common } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const [firstName, setFirstName] = useState(customer.firstName);
  const [lastName, setLastName] = useState(customer.lastName);
  const [email, setEmail] = useState(customer.email);
  const saved = useMutation({
    mutationFn: () => client.customers.update(customer.id, { firstName, lastName, email }),
    onSuccess: () => {
      for (const name of ['customer', 'customers']) void cache.invalidateQueries({ queryKey: [id, name] });
      toast(t.profileSaved);
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!saved.isPending) saved.mutate();
  };
  return (
    <Modal title={t.editTitle} isOpen close={close}>
      <form onSubmit={submit} className="space-y-4">
        <TextField label={t.firstName} value={firstName} onChange={setFirstName} />
        <TextField label={t.lastName} value={lastName} onChange={setLastName} />
        <TextField label={t.email} value={email} inputMode="email" onChange={setEmail} />
        {saved.error && <Problem error={saved.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{common.cancel}</Button>
          <Button type="submit" kind="primary" disabled={saved.isPending}>
            {saved.isPending ? common.working : common.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
