import { type OpenDocument, openDocument } from '../../codec/open-document.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { type FieldError, invalidValue, notSupportedValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { badRequest, invalid } from '../../meta/status-error.ts';
import type { DeleteOptions, Verbs } from '../../registry/index.ts';
import { DeleteOptions as DeleteOptionsSchema } from '../../schema/meta-types.ts';
import { answerForm, type Shown } from '../answers/answer-form.ts';
import { writeList } from '../answers/list-writer.ts';
import { respondObject } from '../answers/respond-object.ts';
import { respondStatus } from '../render.ts';
import type { RequestContext } from '../request-context.ts';
import { flag, type ResourceTarget } from '../request-info.ts';
import { isDryRun } from '../write-options.ts';
import { bodyLimit } from './body.ts';
import { integerParameter, listParameters } from './list.ts';

export async function handleDelete(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  { deleteOne, shown }: { deleteOne: NonNullable<Verbs['delete']>; shown: Shown },
): Promise<void> {
  const { exchange } = context;
  const form = answerForm(context, shown, context.forms.objects);
  const options = await deleteOptions(context);
  const result = await deleteOne({ namespace, name, options, warn: context.warn });
  if ('status' in result) return respondStatus(context, result.status, 200);
  // Who says explicitly that dependents go too is told that the work is not done yet.
  const waits = !result.removed && options.orphanDependents === false;
  respondObject(exchange, form, { status: waits ? 202 : 200, document: result.object });
}

export async function handleDeleteCollection(
  context: RequestContext,
  { namespace }: ResourceTarget,
  { deleteMany, shown }: { deleteMany: NonNullable<Verbs['deletecollection']>; shown: Shown },
): Promise<void> {
  const form = answerForm(context, shown, context.forms.objects);
  const selected = listParameters(context);
  const options = await deleteOptions(context);
  await writeList(context.exchange, await deleteMany({ namespace, ...selected, options, warn: context.warn }), form);
}

/** From the body or, without one, from the query. A dry run asked for in either place is one. */
async function deleteOptions(context: RequestContext): Promise<DeleteOptions> {
  const body = await context.exchange.readBody(bodyLimit);
  const queryDryRun = context.exchange.query !== '' && isDryRun(context.query.getAll('dryRun'), 'DeleteOptions');
  const options = body.length === 0 ? fromQuery(context) : fromBody(context, body);
  checkPropagation(options);
  return { ...options, dryRun: options.dryRun || queryDryRun };
}

function fromQuery(context: RequestContext): DeleteOptions {
  return {
    dryRun: false,
    gracePeriodSeconds: integerParameter(context, 'gracePeriodSeconds'),
    orphanDependents: context.exchange.query === '' ? undefined : flag(context.query, 'orphanDependents'),
    propagationPolicy: (context.exchange.query !== '' && context.query.get('propagationPolicy')) || undefined,
    preconditions: {},
  };
}

function fromBody(context: RequestContext, body: Buffer): DeleteOptions {
  const value = readOptions(context, body);
  const preconditions = optional(value, 'preconditions', isRecord, 'Preconditions') ?? {};
  const dryRun = optional(value, 'dryRun', isStrings, '[]string') ?? [];
  return {
    dryRun: isDryRun(dryRun, 'DeleteOptions'),
    gracePeriodSeconds: optional(value, 'gracePeriodSeconds', isInteger, 'int64'),
    orphanDependents: optional(value, 'orphanDependents', isBoolean, 'bool'),
    propagationPolicy: optional(value, 'propagationPolicy', isString, 'DeletionPropagation'),
    preconditions: {
      uid: optional(preconditions, 'uid', isString, 'UID'),
      resourceVersion: optional(preconditions, 'resourceVersion', isString, 'string'),
    },
  };
}

function readOptions(context: RequestContext, body: Buffer): Record<string, unknown> {
  const encoding = context.forms.bodyEncoding(context.exchange.header('content-type'));
  try {
    const document = openDocument(body, encoding, DeleteOptionsSchema);
    checkKind(document);
    const value = document.value();
    // What deletes something should be meant.
    if (!isRecord(value)) throw new DecodeError('the options of a delete must be an object');
    return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(error.message, { cause: error });
  }
}

/** Any version will do, but the fields of another kind mean something else. */
function checkKind({ kind, apiVersion }: OpenDocument): void {
  if (typeof kind !== 'string' || kind === '' || kind === 'DeleteOptions') return;
  const scheme = 'pkg/apis/meta/internalversion/scheme/register.go:27';
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  throw new DecodeError(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme ${goQuote(scheme)}`,
  );
}

function optional<T>(
  from: Record<string, unknown>,
  name: string,
  is: (value: unknown) => value is T,
  type = '',
): T | undefined {
  const value = from[name];
  if (value === undefined || value === null) return undefined;
  if (is(value)) return value;
  const actual = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw badRequest(`json: cannot unmarshal ${actual} into Go struct field DeleteOptions.${name} of type ${type}`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isString = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString);

function checkPropagation({ orphanDependents, propagationPolicy }: DeleteOptions): void {
  if (propagationPolicy === undefined) return;
  const field = 'propagationPolicy';
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidValue(field, propagationPolicy, detail));
  } else if (!['Foreground', 'Background', 'Orphan'].includes(propagationPolicy)) {
    errors.push(notSupportedValue(field, propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  if (propagationPolicy === 'Foreground') {
    throw badRequest('propagationPolicy Foreground needs a garbage collector, which this server does not run yet');
  }
}
