import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Verbs } from '../../registry/index.ts';
import { answerForm, type Shown } from '../answers/answer-form.ts';
import { writeList } from '../answers/list-writer.ts';
import { respondObject } from '../answers/respond-object.ts';
import { respondStatus } from '../render.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { deleteOptions } from './delete-options.ts';
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
    shown,
    authorizeUnsafe,
  }: { deleteOne: NonNullable<Verbs['delete']>; shown: Shown; authorizeUnsafe: AuthorizeUnsafe },
): Promise<void> {
  const { exchange } = context;
  const form = answerForm(context, shown, context.forms.objects);
  const options = await deleteOptions(context, { allowUnsafe: authorizeUnsafe !== undefined });
  if (options.ignoreReadErrors) await authorizeUnsafe?.();
  const result = await deleteOne({ namespace, name, options, user: context.knownUser, warn: context.warn });
  if ('status' in result) return respondStatus(context, result.status, 200);
  // With `orphanDependents: false` the client waits for its dependents, so a 202 says that deletion is still in
  // progress.
  const waits = !result.removed && options.orphanDependents === false;
  respondObject(exchange, form, { status: waits ? 202 : 200, document: result.object });
}

export async function handleDeleteCollection(
  context: RequestContext,
  { namespace }: ResourceTarget,
  {
    deleteMany,
    shown,
    authorizeUnsafe,
  }: { deleteMany: NonNullable<Verbs['deletecollection']>; shown: Shown; authorizeUnsafe: AuthorizeUnsafe },
): Promise<void> {
  const form = answerForm(context, shown, context.forms.objects);
  const selected = listParameters(context);
  const options = await deleteOptions(context, { allowUnsafe: authorizeUnsafe !== undefined, isCollection: true });
  const { knownUser: user, warn } = context;
  await writeList(context.exchange, await deleteMany({ namespace, ...selected, options, user, warn }), form);
}
