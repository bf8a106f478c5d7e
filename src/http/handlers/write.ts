import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Verbs } from '../../registry/index.ts';
import { answerForm, type Shown } from '../answers/answer-form.ts';
import { respondObject } from '../answers/respond-object.ts';
import { respondStatus } from '../render.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { writeOptions } from '../write-options.ts';
import { bodyLimit } from './body.ts';

export async function handleCreate(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  { create, shown, status }: { create: NonNullable<Verbs['create']>; shown: Shown; status: number },
): Promise<void> {
  const { objects, rowless } = context.forms;
  const form = answerForm(context, shown, shown.hasRows ? objects : rowless);
  const options = writeOptions(context, 'CreateOptions');
  const encoding = context.forms.bodyEncoding(context.exchange.header('content-type'));
  const body = await context.exchange.readBody(bodyLimit);
  const result = await create({ namespace, name, body, encoding, warn: context.warn, ...options });
  if ('status' in result) return respondStatus(context, result.status, status);
  respondObject(context.exchange, form, { status, document: result.bytes });
}

interface UpdateParts {
  readonly update: NonNullable<Verbs['update']>;
  readonly shown: Shown;
  readonly authorizeCreate: () => MaybePromise<void>;
}

export async function handleUpdate(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  { update, shown, authorizeCreate }: UpdateParts,
): Promise<void> {
  const form = answerForm(context, shown, context.forms.objects);
  const options = writeOptions(context, 'UpdateOptions');
  const encoding = context.forms.bodyEncoding(context.exchange.header('content-type'));
  const body = await context.exchange.readBody(bodyLimit);
  const result = await update({ namespace, name, body, encoding, authorizeCreate, warn: context.warn, ...options });
  respondObject(context.exchange, form, { status: result.created ? 201 : 200, document: result.bytes });
}
