import { Lock } from 'lucide-react';
import type { Scope } from '@parley/client';
import type { ReactNode } from 'react';
import { useWorkspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';

/** Returns why the person may not do what needs these scopes; undefined if it may. */
export function useMissingScope(...scopes: Scope[]): string | undefined {
  const { common } = useTexts();
  const { can } = useWorkspace();
  const missing = scopes.find((scope) => !can(scope));
  return missing && common.missingScope(missing);
}

/** Says why the form below cannot be changed. Nothing without a reason. */
export function Locked({ reason }: { reason: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <p role="note" className="mb-4 flex items-center gap-2 rounded-md bg-warn-soft p-2.5 text-warn">
      <Lock size={15} aria-hidden="true" className="shrink-0" />
      {reason}
    </p>
  );
}

/** A form, whose controls are all disabled if there is a reason. It is said above them. */
export function ReadOnly({ reason, children }: { reason: string | undefined; children: ReactNode }) {
  return (
    <>
      <Locked reason={reason} />
      <fieldset disabled={reason !== undefined} className="min-w-0">
        {children}
      </fieldset>
    </>
  );
}
