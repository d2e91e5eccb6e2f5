import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { sessionQuery } from '../data/session/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { Problem } from '../ui/problem.tsx';
import { Frame, SkeletonLines } from '../ui/states.tsx';
import { Header } from './header.tsx';

/** The frame of the screen about the deployment, which is in no workspace. */
export function OperatorShell() {
  const { common } = useTexts();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (!session) {
    return error ? <Problem error={error} retry={() => void refetch()} /> : <Frame label={common.loading} />;
  }
  return (
    <>
      <a href="#main" className="link fixed -top-20 left-4 z-50 bg-panel p-2 focus:top-2">
        {common.skip}
      </a>
      <Header session={session} />
      <main id="main" tabIndex={-1} className="mx-auto max-w-[80rem] p-4 pb-16 outline-none md:p-6">
        <Suspense fallback={<SkeletonLines label={common.loading} />}>
          <Outlet />
        </Suspense>
      </main>
    </>
  );
}
