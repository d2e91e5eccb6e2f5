import { type ReactNode, useState } from 'react';

interface Props {
  words: string;
  isOpenFirst?: boolean;
  children: ReactNode;
}

/** Content that is made when it is first opened: 60 steps have many fields. */
export function Foldable({ words, isOpenFirst = false, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-xs font-medium text-quiet">{words}</summary>
      {isOpen && <div className="mt-3 space-y-3">{children}</div>}
    </details>
  );
}
