import { ApiError, isUnreadable, type ResourceClient } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';

/** What to do about an object that is there: leave it, write it so, or make it anew. */
export type Reconciliation<T> = 'keep' | 'recreate' | T;

export interface WantedObject<T extends ResourceObject> {
  readonly objects: ResourceClient<T>;
  readonly wanted: T;
  readonly reconcile: (present: T, wanted: T) => Reconciliation<T>;
}

/** How often somebody else may be faster. */
const attempts = 5;
const races = new Set(['AlreadyExists', 'Conflict', 'NotFound']);

/**
 * Makes an object, or brings what is there into the form that is wanted. `seen` is what the caller has seen of it;
 * whatever has happened since is noticed. Idempotent, and safe beside others who do the same. An object that is stored and
 * cannot be read stays as it is: the log names it, and the start of a server must not depend on it.
 */
export async function ensureObject<T extends ResourceObject>(object: WantedObject<T>, seen?: T): Promise<void> {
  let present = seen;
  for (let attempt = 1; ; attempt++) {
    try {
      await write(object, present);
      return;
    } catch (error) {
      if (isUnreadable(error)) return;
      if (attempt === attempts || !races.has(reasonOf(error))) throw error;
    }
    const found = await lookUp(object);
    if (found === 'unreadable') return;
    present = found;
  }
}

/** The same for one that the caller has not seen. */
export async function lookUpAndEnsureObject<T extends ResourceObject>(object: WantedObject<T>): Promise<void> {
  const found = await lookUp(object);
  if (found !== 'unreadable') await ensureObject(object, found);
}

async function write<T extends ResourceObject>(
  { objects, wanted, reconcile }: WantedObject<T>,
  present: T | undefined,
): Promise<void> {
  const next = present === undefined ? wanted : reconcile(present, wanted);
  if (next === 'keep') return;
  if (present !== undefined && next !== 'recreate') {
    await objects.update(next);
    return;
  }
  if (present !== undefined) {
    const { name = '', uid = '' } = present.metadata;
    await objects.delete(name, {}, { preconditions: { uid } });
  }
  await objects.create(wanted);
}

async function lookUp<T extends ResourceObject>({
  objects,
  wanted,
}: WantedObject<T>): Promise<T | 'unreadable' | undefined> {
  try {
    return await objects.get(wanted.metadata.name ?? '');
  } catch (error) {
    if (reasonOf(error) === 'NotFound') return undefined;
    if (isUnreadable(error)) return 'unreadable';
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ApiError ? (error.status?.reason ?? '') : '';
}
