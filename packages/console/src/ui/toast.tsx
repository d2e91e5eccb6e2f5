import { createContext, use, useCallback, useState, type ReactNode } from 'react';

const ToastContext = createContext<(text: string) => void>(() => {});

const shownMs = 6_000;

/** Shows short messages about what has been done, and announces them. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ id: number; text: string }[]>([]);
  const show = useCallback((text: string) => {
    const id = Math.random();
    setShown((before) => [...before, { id, text }]);
    setTimeout(() => setShown((before) => before.filter((one) => one.id !== id)), shownMs);
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex flex-col items-center gap-2 px-4"
      >
        {shown.map(({ id, text }) => (
          <p key={id} className="rounded-md bg-ink px-4 py-2 text-page shadow-lg">
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  );
}

export function useToast(): (text: string) => void {
  return use(ToastContext);
}
