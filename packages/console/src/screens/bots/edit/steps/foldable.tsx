import { type ReactNode, useState } from 'react';

/** Fields that are made when they are first opened: 60 steps have many. */
export function Foldable({ words, children }: { words: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-xs font-medium text-quiet">{words}</summary>
      {isOpen && <div className="mt-3 space-y-3">{children}</div>}
    </details>
  );
}
