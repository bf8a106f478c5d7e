import { ApiError, isUnreadable, type ResourceClient, type ResourceReference } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { StatusError } from '../meta/status-error.ts';

/** The action for an existing object: keep it, delete and recreate it, or update it to the given state. */
export type Reconciliation<T> = 'keep' | 'recreate' | T;

export interface DesiredObject<T extends ResourceObject> {
  readonly objects: ResourceClient<T>;
  readonly desired: T;
  readonly reconcile: (current: T, desired: T) => Reconciliation<T>;
  /** Creates the wanted object. Default: a request. */
  readonly create?: (() => Promise<unknown>) | undefined;
}

/** An object that every server has. */
export interface DefaultObject {
  readonly object: ResourceObject;
  readonly fieldManager: string;
  readonly status?: { readonly value: object; readonly fieldManager: string };
}

/** Creates a default object without a request. Rejects with a StatusError if it is there already. */
export type CreateDefault = (type: ResourceReference, desired: DefaultObject) => Promise<void>;

/** The maximum number of attempts when other writers interfere. */
const attempts = 5;
const races = new Set(['AlreadyExists', 'Conflict', 'NotFound']);

/**
 * Creates an object, or reconciles the existing one. `seen` is the state that the caller has read; later changes are
 * detected. Idempotent, and safe with concurrent callers. An object that is stored and cannot be read is left alone:
 * the server logs its name and starts anyway.
 */
export async function ensureObject<T extends ResourceObject>(object: DesiredObject<T>, seen?: T): Promise<void> {
  let current = seen;
  for (let attempt = 1; ; attempt++) {
    try {
      await write(object, current);
      return;
    } catch (error) {
      if (isUnreadable(error)) return;
      if (attempt === attempts || !races.has(reasonOf(error))) throw error;
    }
    const found = await lookUp(object);
    if (found === 'unreadable') return;
    current = found;
  }
}

/** Like `ensureObject`, but reads the object first. */
export async function lookUpAndEnsureObject<T extends ResourceObject>(object: DesiredObject<T>): Promise<void> {
  const found = await lookUp(object);
  if (found !== 'unreadable') await ensureObject(object, found);
}

async function write<T extends ResourceObject>(
  { objects, desired, reconcile, create = () => objects.create(desired) }: DesiredObject<T>,
  current: T | undefined,
): Promise<void> {
  const next = current === undefined ? desired : reconcile(current, desired);
  if (next === 'keep') return;
  if (current !== undefined && next !== 'recreate') {
    await objects.update(next);
    return;
  }
  if (current !== undefined) {
    const { name = '', uid = '' } = current.metadata;
    await objects.delete(name, {}, { preconditions: { uid } });
  }
  await create();
}

async function lookUp<T extends ResourceObject>({
  objects,
  desired,
}: DesiredObject<T>): Promise<T | 'unreadable' | undefined> {
  try {
    return await objects.get(desired.metadata.name ?? '');
  } catch (error) {
    if (reasonOf(error) === 'NotFound') return undefined;
    if (isUnreadable(error)) return 'unreadable';
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ApiError || error instanceof StatusError ? (error.status?.reason ?? '') : '';
}
