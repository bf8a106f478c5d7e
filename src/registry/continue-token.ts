import { crc32 } from 'node:zlib';
import { decodeJson, encodeJson } from '../codec/json/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import type { StatedRevision } from '../meta/resource-version.ts';
import { badRequest, expired, type StatusError } from '../meta/status-error.ts';

const tokenVersion = 'meta.k8s.io/v1';

/** The position at which a paginated list continues. */
export interface ContinuePosition {
  /** The revision of the whole list. Negative for the latest. */
  readonly revision: StatedRevision;
  /** The last key of the previous page, relative to the path of the list. */
  readonly after: string;
}

/** Encodes the token like kube-apiserver, with an added checksum that detects changes. */
export function encodeContinue({ revision, after }: ContinuePosition): string {
  const start = `${after}\0`;
  const token = { v: tokenVersion, rv: revision, start, sum: sumOf(revision, start) };
  return Buffer.from(encodeJson(token)).toString('base64url');
}

export function decodeContinue(token: string): ContinuePosition {
  const { v, rv, start, ...rest } = parsed(token);
  if (v !== tokenVersion) throw refused(`server does not recognize this encoded version ${String(v ?? '')}`);
  if (!isRevision(rv)) {
    throw refused(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (typeof start !== 'string' || start === '') throw refused(`encoded start key empty (version ${tokenVersion})`);
  const key = start.startsWith('/') ? start.slice(1) : start;
  if (`/${key}`.includes('/../')) throw refused(start);
  // A token of another server of this API has no checksum, and no further fields.
  const { sum, ...unknown } = rest;
  if (Object.keys(unknown).length > 0 || ('sum' in rest && sum !== sumOf(rv, start)))
    throw refused('it has been changed');
  return { revision: rv, after: key.endsWith('\0') ? key.slice(0, -1) : key };
}

/**
 * The error for a token whose state is no longer kept. The error contains a token that continues in the latest state.
 */
export function continueExpired({ after }: Pick<ContinuePosition, 'after'>): StatusError {
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue({ revision: -1, after }),
  );
}

/** The checksum only detects mistakes. A forged token reveals nothing that the list would not show. */
function sumOf(revision: StatedRevision, start: string): number {
  return crc32(`${revision} ${start}`);
}

const maxInt64 = 2n ** 63n - 1n;

function isRevision(value: unknown): value is StatedRevision {
  if (typeof value === 'bigint') return value <= maxInt64 && value >= -maxInt64 - 1n;
  return typeof value === 'number' && Number.isSafeInteger(value) && value !== 0;
}

function parsed(token: string): Record<string, unknown> {
  const illegal = token.search(/[^A-Za-z0-9_-]/);
  if (illegal >= 0) throw refused(`illegal base64 data at input byte ${illegal}`);
  try {
    const value = decodeJson(Buffer.from(token, 'base64url')).value;
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refused(error.message);
  }
  throw refused('not an object');
}

function refused(cause: string): StatusError {
  return badRequest(`invalid continue token: continue key is not valid: ${cause}`);
}
