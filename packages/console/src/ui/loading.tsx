import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { useTexts } from '../texts/texts.tsx';
import { Button } from './forms/button.tsx';
import { Problem } from './problem.tsx';
import { SkeletonLines } from './states.tsx';

interface Props {
  query: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>;
  /** The number of lines that stand for the data. */
  count?: number;
}

/** Stands for the data of a query until it is loaded: lines, or why it has failed. Also says why a later load has. */
export function QueryState({ query: { data, error, refetch }, ...lines }: Props) {
  const { common } = useTexts();
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  return data === undefined ? <SkeletonLines {...lines} label={common.loading} /> : null;
}

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

/** The button that loads the next page of a list. */
export function More({ list, className }: { list: Pages; className?: string }) {
  const { common } = useTexts();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  if (!hasNextPage) return null;
  return (
    <div className={className}>
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchingNextPage ? common.working : common.more}
      </Button>
    </div>
  );
}
