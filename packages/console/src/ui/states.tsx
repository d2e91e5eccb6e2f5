import { type ReactNode, useEffect, useRef } from 'react';
import { classes } from './classes.ts';

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes('block animate-pulse rounded bg-raised', className ?? 'h-4 w-full')}
    />
  );
}

export function SkeletonLines({ count = 4, label }: { count?: number; label: string }) {
  return (
    <div role="status" className="space-y-3 p-4">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={index % 2 === 0 ? 'h-4 w-3/4' : 'h-4 w-1/2'} />
      ))}
    </div>
  );
}

/** The page before its session is known. The gateway sends an identical one, for the time before the first script. */
export function Frame({ label }: { label: string }) {
  return (
    <div className="frame" role="status" aria-label={label}>
      <div />
      <p />
      <p />
      <p />
    </div>
  );
}

/** Says why there is nothing, and what to do to change that. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="card mx-auto max-w-xl border-dashed p-8 text-center">
      <p className="text-base font-medium">{title}</p>
      {children !== undefined && <div className="mt-2 space-y-3 text-quiet">{children}</div>}
    </div>
  );
}

/** The title that the page comes with. */
const product = document.title;

/** The head of a screen: its title, which is also the title of the page, and what one can do there. */
export function ScreenHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${heading.current?.textContent} – ${product}`;
  });
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h1 ref={heading} className="min-w-0 flex-[1_1_12rem] text-xl font-semibold break-words lg:basis-80">
        {title}
      </h1>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  /** A line below the title. */
  status?: ReactNode;
  children: ReactNode;
  aside?: ReactNode;
}

export function Section({ title, status, children, aside }: SectionProps) {
  return (
    <section className="card min-w-0">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        {status === undefined ? (
          <h2 className="flex-1 font-semibold">{title}</h2>
        ) : (
          <div className="min-w-0 flex-1 basis-56">
            <h2 className="font-semibold">{title}</h2>
            {status}
          </div>
        )}
        {aside}
      </div>
      {children}
    </section>
  );
}
