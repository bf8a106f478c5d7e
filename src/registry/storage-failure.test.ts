import { expect, test } from 'vitest';
import type { StatusError } from '../meta/status-error.ts';
import { StorageError, type StorageErrorCode } from '../storage/index.ts';
import { readFailure, writeFailure } from './storage-failure.ts';

const cases: { code: StorageErrorCode; read: unknown; write: unknown }[] = [
  { code: 'TooLarge', read: undefined, write: [413, undefined] },
  { code: 'Unavailable', read: [503, 1], write: [503, 1] },
  { code: 'Closed', read: [503, 1], write: [503, 1] },
  { code: 'OutcomeUnknown', read: undefined, write: [504, 1] },
  { code: 'RevisionCompacted', read: undefined, write: undefined },
];

test.each(cases)('$code: $read for a read, $write for a write', ({ code, read, write }) => {
  const error = new StorageError(code, 'why');
  const codeAndRetry = (failure: unknown): unknown => {
    if (failure === error) return undefined;
    const { status } = failure as StatusError;
    expect(status.message).toContain('why');
    return [status.code, status.details?.retryAfterSeconds];
  };
  expect([codeAndRetry(readFailure(error)), codeAndRetry(writeFailure(error))]).toEqual([read, write]);
});
