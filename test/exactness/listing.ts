import { type ApiObject, keyOf } from './api-object.ts';
import { type Connection, textOf } from './connection.ts';
import type { Progress } from './progress.ts';
import { type Selection, urlOf } from './selection.ts';
import { refusal, Violation } from './violation.ts';

/** One response to a list request, to be compared with the history later. */
export interface Chunk {
  readonly selection: Selection;
  readonly version: number;
  /** The key of the last item of the previous chunk. Empty for the first chunk. */
  readonly after: string;
  readonly items: readonly ApiObject[];
  readonly more: boolean;
  readonly remaining: number | undefined;
}

export interface Listing {
  /** Whether the last chunk was no longer available at the version of the first. */
  readonly expired: boolean;
  readonly chunks: readonly Chunk[];
}

export interface ListPlan {
  readonly version:
    | { readonly match: 'newest' | 'any' }
    | { readonly match: 'exact' | 'notOlderThan'; readonly version: number };
  /** 0 for a list without chunks. */
  readonly limit: number;
  /** Whether to continue with the token that the server offers after a token has expired. */
  readonly inconsistent: boolean;
  /** Called between two chunks. */
  rest(): Promise<void>;
}

interface ListBody {
  readonly metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  readonly items: readonly ApiObject[];
  readonly message?: string;
}

export interface Lister {
  readonly connection: Connection;
  readonly progress: Progress;
  readonly selection: Selection;
}

/** Lists as a client does, and checks the limits and versions, and that all chunks show the state of the first. */
export async function list({ connection, progress, selection }: Lister, plan: ListPlan): Promise<Listing> {
  const chunks: Chunk[] = [];
  const newest = progress.acknowledged;
  let token = '';
  let after = '';
  let expired = false;
  do {
    if (token !== '') await plan.rest();
    const query = token === '' ? versionQuery(plan) : { continue: token };
    const limit = plan.limit === 0 ? undefined : { limit: String(plan.limit) };
    const response = await connection.get(urlOf(selection, { ...query, ...limit }));
    const body = JSON.parse(await textOf(response)) as ListBody;
    if (response.status === 410) {
      expired = true;
      token = body.metadata.continue ?? '';
      if (chunks.length > 0 && token === '') throw new Violation('an expired token was not replaced by another');
      if (!plan.inconsistent || token === '') break;
      continue;
    }
    if (response.status !== 200) throw refusal('a list', response.status, body.message);
    const chunk = chunkOf(selection, body, after);
    if (plan.limit > 0 && chunk.items.length > plan.limit) throw new Violation('a chunk was larger than its limit');
    const first = chunks[0]?.version;
    if (first === undefined) checkVersion(plan, chunk.version, newest);
    else if (!expired && chunk.version !== first) throw new Violation(`a list went from ${first} to ${chunk.version}`);
    chunks.push(chunk);
    const last = chunk.items.at(-1);
    if (last !== undefined) after = keyOf(last);
    token = body.metadata.continue ?? '';
  } while (token !== '');
  return { expired, chunks };
}

function versionQuery({ version }: ListPlan): Record<string, string> {
  if (!('version' in version)) return version.match === 'any' ? { resourceVersion: '0' } : {};
  const resourceVersionMatch = version.match === 'exact' ? 'Exact' : 'NotOlderThan';
  return { resourceVersion: String(version.version), resourceVersionMatch };
}

function checkVersion({ version }: ListPlan, listed: number, newest: number): void {
  if (!('version' in version)) {
    if (version.match === 'any' || listed >= newest) return;
    throw new Violation(`a list of ${listed} did not know ${newest}`);
  }
  if (version.match === 'exact' && listed !== version.version) {
    throw new Violation(`a list of exactly ${version.version} was of ${listed}`);
  }
  if (listed < version.version) {
    throw new Violation(`a list of ${listed} was to be not older than ${version.version}`);
  }
}

function chunkOf(selection: Selection, { metadata, items }: ListBody, after: string): Chunk {
  return {
    selection,
    version: Number(metadata.resourceVersion),
    after,
    items,
    more: (metadata.continue ?? '') !== '',
    remaining: metadata.remainingItemCount,
  };
}
