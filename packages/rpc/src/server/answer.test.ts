import { deadlineExceeded, unavailable } from '@parley/runtime/errors';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { expect, test, vi } from 'vitest';
import { answer } from './answer.ts';

test.each([unavailable, deadlineExceeded])(
  'a call that fails with %o is a warning with its cause',
  async (fail) => {
    const logger = createLogger('test', 'silent');
    const warn = vi.spyOn(logger, 'warn');
    const cause = new Error('Query read timeout');
    const error = fail(cause);
    const replied = Promise.withResolvers<Error>();
    await answer(
      {
        method: {
          path: '/a.Service/Method',
          requestDeserialize: () => ({}),
          responseSerialize: () => Buffer.alloc(0),
          handle: () => Promise.reject(error),
          rules: {},
          callers: 'anyone',
          grant: 'none',
        },
        context: { requestId: 'r1', caller: undefined, signal: new AbortController().signal },
        peerAddress: '127.0.0.1',
        traceparent: undefined,
        grantText: '',
        readRequest: () => ({}),
        reply: () => {},
        fail: replied.resolve,
      },
      { logger, grants: undefined },
    );
    expect(await replied.promise).toBe(error);
    const line = { requestId: 'r1', path: '/a.Service/Method', code: error.code, err: cause };
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining(line),
      'call failed: a dependency is unavailable',
    );
  },
);
