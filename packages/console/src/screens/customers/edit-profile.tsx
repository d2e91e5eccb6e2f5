import type { Customer } from '@parley/client';
import { detailNames, detailOf, perDetail } from '@parley/contracts/customer-details';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { WindowButton } from '../../ui/forms/window-button.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';

export function EditProfile({ customer }: { customer: Customer }) {
  const { customers: t } = useTexts();
  // Without the right to see the values, a form would overwrite them.
  const missing = useMissingScope('customers:write', 'personal-data:read');
  return (
    <WindowButton
      isSmall
      reason={missing}
      window={(close) => <ProfileForm customer={customer} close={close} />}
    >
      {t.edit}
    </WindowButton>
  );
}

function ProfileForm({ customer, close }: { customer: Customer; close(): void }) {
  const { customers: t, common } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const [details, setDetails] = useState(() => perDetail((name) => customer[name]));
  const saved = useMutation({
    mutationFn: () => client.customers.update(customer.id, details),
    onSuccess: () => {
      for (const name of ['customer', 'customers']) void cache.invalidateQueries({ queryKey: [id, name] });
      toast(t.profileSaved);
      close();
    },
  });
  return (
    <Modal title={t.editTitle} close={close}>
      <ModalForm sending={saved} action={common.save} close={close}>
        {detailNames.map((name) => (
          <TextField
            key={name}
            label={t.details[name]}
            value={details[name]}
            inputMode={detailOf(name).form}
            onChange={(text) => setDetails((before) => ({ ...before, [name]: text }))}
          />
        ))}
      </ModalForm>
    </Modal>
  );
}
