import { requestMediaType } from '../../codec/negotiation.ts';
import { forbiddenValue } from '../../meta/field-error.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { invalid, StatusError } from '../../meta/status-error.ts';
import type { PatchType, Verbs } from '../../registry/index.ts';
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
  const form = answerForm(context, shown, context.forms.objects);
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

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
};

export async function handlePatch(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  { patch, shown }: { patch: NonNullable<Verbs['patch']>; shown: Shown },
): Promise<void> {
  const { exchange } = context;
  const form = answerForm(context, shown, context.forms.objects);
  const mediaType =
    exchange.header('content-type') === undefined ? '' : requestMediaType(exchange.header('content-type'));
  const patchType = patchTypes[mediaType];
  if (patchType === undefined) throw unknownPatchType();
  const options = writeOptions(context, 'PatchOptions');
  if (exchange.query !== '' && context.query.has('force')) {
    const error = forbiddenValue('force', 'may not be specified for non-apply patch');
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [error]);
  }
  const body = await exchange.readBody(bodyLimit);
  const { bytes } = await patch({ namespace, name, body, patchType, warn: context.warn, ...options });
  respondObject(exchange, form, { status: 200, document: bytes });
}

/** Found out before anything else is looked at, and so without a word about the resource. */
function unknownPatchType(): StatusError {
  const message = '415: Unsupported Media Type';
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message, details: {} });
}
