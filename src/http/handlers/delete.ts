import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Verbs } from '../../registry/index.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { writeList } from '../responses/list-writer.ts';
import { outputFormat, type ServedType } from '../responses/output-format.ts';
import { respondObject } from '../responses/respond-object.ts';
import { respondSuccess } from '../responses/respond-success.ts';
import { deleteOptions, statedOptions } from './delete-options.ts';
import { listParameters } from './list.ts';

/**
 * Checks the permission to delete an object that cannot be read, and throws when it is missing. Undefined when such
 * deletes are disabled.
 */
export type AuthorizeUnsafe = (() => MaybePromise<void>) | undefined;

export async function handleDelete(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  {
    deleteOne,
    servedType,
    authorizeUnsafe,
  }: { deleteOne: NonNullable<Verbs['delete']>; servedType: ServedType; authorizeUnsafe: AuthorizeUnsafe },
): Promise<void> {
  const { exchange } = context;
  const format = outputFormat(context, servedType, context.formats.deletions);
  const options = await deleteOptions(context, { allowUnsafe: authorizeUnsafe !== undefined });
  context.reached('body');
  if (options.ignoreReadErrors) await authorizeUnsafe?.();
  const { knownUser: user, warn } = context;
  const admissionContext = context.admissionContext(statedOptions(options));
  const result = await deleteOne({ namespace, name, options, user, warn, admissionContext });
  context.reached('storage');
  if ('status' in result) return respondSuccess(exchange, format, { code: 200, status: result.status });
  // With `orphanDependents: false` the client waits for its dependents, so a 202 says that deletion is still in
  // progress.
  const waits = !result.removed && options.orphanDependents === false;
  respondObject(exchange, format, { status: waits ? 202 : 200, document: result.object });
}

export async function handleDeleteCollection(
  context: RequestContext,
  { namespace }: ResourceTarget,
  {
    deleteMany,
    servedType,
    authorizeUnsafe,
  }: { deleteMany: NonNullable<Verbs['deletecollection']>; servedType: ServedType; authorizeUnsafe: AuthorizeUnsafe },
): Promise<void> {
  const format = outputFormat(context, servedType, context.formats.objects);
  const selected = listParameters(context);
  const options = await deleteOptions(context, { allowUnsafe: authorizeUnsafe !== undefined, isCollection: true });
  const { knownUser: user, warn } = context;
  const admissionContext = context.admissionContext(statedOptions(options));
  const deleted = await deleteMany({ namespace, ...selected, options, user, warn, admissionContext });
  context.reached('storage');
  await writeList(context.exchange, deleted, format);
}
