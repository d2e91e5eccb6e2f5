import { ParleyError } from '@parley/client';
import { useTexts } from '../texts/texts.tsx';
import { Button } from './forms/button.tsx';
import { Time } from './time.tsx';

/** Says in words what has failed, with the id under which the API has logged it. */
export function Problem({ error, retry }: { error: Error; retry?: (() => void) | undefined }) {
  const { problems } = useTexts();
  const words = useProblem()(error);
  const requestId = error instanceof ParleyError ? error.requestId : undefined;
  return (
    <div role="alert" className="card border-bad flex flex-wrap items-start gap-3 p-4">
      <div className="min-w-0 flex-[1_1_16rem]">
        <p className="font-medium text-bad">{words}</p>
        {error instanceof ParleyError && error.errors.length > 0 && (
          <ul className="mt-1 list-disc pl-5 text-quiet">
            {error.errors.map(({ pointer, detail, retryAt }) => (
              <li key={pointer + detail}>
                {retryAt === undefined ? (
                  <>
                    <code className="font-mono">{pointer}</code> {detail}
                  </>
                ) : (
                  <>
                    {problems.allowedFrom} <Time at={retryAt} />
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        {requestId !== undefined && (
          <p className="mt-1 text-quiet">
            {problems.requestId} <code className="font-mono break-all select-all">{requestId}</code>
          </p>
        )}
      </div>
      {retry && <Button onClick={retry}>{problems.retry}</Button>}
    </div>
  );
}

/** Returns a function that puts a failure into words. Unknown failures of the API have its own, English ones. */
export function useProblem(): (error: Error) => string {
  const { problems } = useTexts();
  const byType: Record<string, string> = problems.byType;
  return (error) => {
    if (!(error instanceof ParleyError)) return problems.unexpected;
    return byType[error.type] ?? error.detail;
  };
}

export function ProblemLine({ error }: { error: Error }) {
  return (
    <span role="alert" className="text-bad">
      {useProblem()(error)}
    </span>
  );
}
