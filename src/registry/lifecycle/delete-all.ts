import { serverUser } from '../../meta/user.ts';
import type { ResourceContext } from '../resource-context.ts';
import { deleteCollection } from './delete-collection.ts';

/** Options that select all objects and have defaults otherwise. */
const selected = {
  namespace: '',
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continueToken: '',
};
const options = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  preconditions: undefined,
};

/** Deletes the objects of all namespaces. Resolves with true when none are left: finalizers may keep some. */
export async function deleteAll(context: ResourceContext): Promise<boolean> {
  await deleteCollection(context, { ...selected, options, user: serverUser, warn: () => {} });
  const { runs } = await context.store.list({ prefix: context.keys.prefix(''), limit: 1 });
  return runs.every(({ objects }) => objects.length === 0);
}
