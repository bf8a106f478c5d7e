import type { Status } from '../meta/status-error.ts';

/** An error response of the server. */
export class ApiError extends Error {
  readonly code: number;
  /** Undefined when the response was not a Status. */
  readonly status: Status | undefined;

  constructor(code: number, body: string) {
    const status = parsedStatus(body);
    super(status?.message ?? (body.trim() || `HTTP status ${code}`));
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

/** Whether the server failed because a stored object cannot be decoded. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ApiError && error.status?.reason === 'StorageReadError';
}

function parsedStatus(body: string): Status | undefined {
  try {
    const value = JSON.parse(body) as Status;
    return value.kind === 'Status' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
