import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Verbs } from '../../registry/index.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { outputFormat, type ServedType } from '../responses/output-format.ts';
import { respondObject } from '../responses/respond-object.ts';
import { respondSuccess } from '../responses/respond-success.ts';
import { writeOptions } from '../write-options.ts';
import { readBody } from './read-body.ts';

export async function handleCreate(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  { create, servedType }: { create: NonNullable<Verbs['create']>; servedType: ServedType },
): Promise<void> {
  const { objects, rowless } = context.formats;
  const format = outputFormat(context, servedType, servedType.hasRows ? objects : rowless);
  const options = writeOptions(context, 'CreateOptions');
  const encoding = context.formats.bodyEncoding(context.exchange.header('content-type'));
  const body = await readBody(context.exchange);
  context.reached('body');
  const result = await create({ namespace, name, body, encoding, warn: context.warn, ...options });
  context.reached('storage');
  const { createdStatus: status } = context.compatibility;
  if ('status' in result) {
    return respondSuccess(context.exchange, format, { code: status, status: { ...result.status, code: status } });
  }
  respondObject(context.exchange, format, { status, document: result.bytes });
}

interface UpdateHandlerOptions {
  readonly update: NonNullable<Verbs['update']>;
  readonly servedType: ServedType;
  readonly authorizeCreate: () => MaybePromise<void>;
}

export async function handleUpdate(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  { update, servedType, authorizeCreate }: UpdateHandlerOptions,
): Promise<void> {
  const format = outputFormat(context, servedType, context.formats.objects);
  const options = writeOptions(context, 'UpdateOptions');
  const encoding = context.formats.bodyEncoding(context.exchange.header('content-type'));
  const body = await readBody(context.exchange);
  context.reached('body');
  const result = await update({ namespace, name, body, encoding, authorizeCreate, warn: context.warn, ...options });
  context.reached('storage');
  respondObject(context.exchange, format, { status: result.created ? 201 : 200, document: result.bytes });
}
