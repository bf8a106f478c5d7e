import { badRequest } from '../meta/status-error.ts';

const tokenVersion = 'meta.k8s.io/v1';

/** Where a chunked list goes on. */
export interface ContinuePosition {
  /** The revision of the whole list; negative: the newest. */
  readonly revision: number;
  /** The last key of the chunk before, relative to the path of the list. */
  readonly after: string;
}

export function encodeContinue({ revision, after }: ContinuePosition): string {
  const token = { v: tokenVersion, rv: revision, start: `${after}\0` };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

export function decodeContinue(token: string): ContinuePosition {
  const { v, rv, start } = parsed(token);
  if (v !== tokenVersion) throw refused(`server does not recognize this encoded version ${String(v ?? '')}`);
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0) {
    throw refused(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (typeof start !== 'string' || start === '') throw refused(`encoded start key empty (version ${tokenVersion})`);
  const key = start.startsWith('/') ? start.slice(1) : start;
  if (`/${key}`.includes('/../')) throw refused(start);
  return { revision: rv, after: key.endsWith('\0') ? key.slice(0, -1) : key };
}

function parsed(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  if (!/^[A-Za-z0-9_-]*$/.test(token)) throw refused('illegal base64 data');
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw refused((error as Error).message);
  }
  throw refused('not an object');
}

function refused(cause: string) {
  return badRequest(`invalid continue token: continue key is not valid: ${cause}`);
}
