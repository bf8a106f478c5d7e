import type { RequestOptions } from '../../admission/index.ts';
import { type OpenDocument, openDocument } from '../../codec/open-document.ts';
import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { type FieldError, forbiddenValue, invalidValue, notSupportedValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { jsonTypeName } from '../../meta/go-value.ts';
import { badRequest, invalid, tooLargeBody } from '../../meta/status-error.ts';
import type { DeleteOptions } from '../../registry/index.ts';
import { DeleteOptions as DeleteOptionsSchema } from '../../schema/meta-types.ts';
import { booleanParameter, integerParameter } from '../query-values.ts';
import type { RequestContext } from '../request-context.ts';
import { isDryRun, queriedDryRuns } from '../write-options.ts';
import { readBody } from './read-body.ts';

const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential';

export interface DeleteOptionsRules {
  /** Whether objects that cannot be read may be deleted. If not, requesting that is an error. */
  readonly allowUnsafe: boolean;
  readonly isCollection?: boolean;
}

/** Reads the options from the body or, if it is empty, from the query. A dry run may be requested in either. */
export async function deleteOptions(context: RequestContext, rules: DeleteOptionsRules): Promise<DeleteOptions> {
  const body = await readBody(context.exchange);
  const queryDryRun = context.exchange.query !== '' && isDryRun(queriedDryRuns(context), 'DeleteOptions');
  const options = body.length === 0 ? fromQuery(context) : await fromBody(context, body);
  const effective = {
    ...options,
    dryRun: options.dryRun || queryDryRun,
  };
  const errors = [...propagationErrors(effective), ...unsafeErrors(effective, rules)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return effective;
}

/** The options as an admission review shows them: in the order of their fields, without absent ones. */
export function statedOptions(options: DeleteOptions): RequestOptions {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun, ignoreReadErrors } = options;
  const stated = {
    gracePeriodSeconds,
    preconditions,
    orphanDependents,
    propagationPolicy,
    dryRun: dryRun ? ['All'] : undefined,
    [unsafe]: ignoreReadErrors || undefined,
  };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}

function fromQuery(context: RequestContext): DeleteOptions {
  return {
    dryRun: false,
    gracePeriodSeconds: integerParameter(context, 'gracePeriodSeconds'),
    orphanDependents: booleanParameter(context, 'orphanDependents'),
    propagationPolicy: (context.exchange.query !== '' && context.query.get('propagationPolicy')) || undefined,
    preconditions: preconditionsOf(context),
    ignoreReadErrors: booleanParameter(context, unsafe) === true,
  };
}

function preconditionsOf(context: RequestContext): DeleteOptions['preconditions'] {
  const uid = context.parameter('uid') || undefined;
  const resourceVersion = context.parameter('resourceVersion') || undefined;
  return uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
}

async function fromBody(context: RequestContext, body: Buffer): Promise<DeleteOptions> {
  const { value, superseded } = await readOptions(context, body);
  // The last of repeated fields wins, but all of them must be valid.
  const { emptyDryRun } = context.compatibility;
  for (const earlier of superseded) optionsOf(earlier, emptyDryRun);
  return optionsOf(value, emptyDryRun);
}

function optionsOf(value: Readonly<Record<string, unknown>>, emptyDryRun: boolean): DeleteOptions {
  const preconditions = optional(value, 'preconditions', isRecord, 'Preconditions');
  const period = optional(value, 'gracePeriodSeconds', isInteger, 'int64');
  const stated = optional(value, 'dryRun', isStrings, '[]string') ?? [];
  const dryRun = emptyDryRun ? stated.filter((text) => text !== '') : stated;
  return {
    dryRun: isDryRun(dryRun, 'DeleteOptions'),
    gracePeriodSeconds: period === undefined ? undefined : Number(period),
    orphanDependents: optional(value, 'orphanDependents', isBoolean, 'bool'),
    propagationPolicy: optional(value, 'propagationPolicy', isString, 'DeletionPropagation'),
    preconditions: preconditions && {
      uid: optional(preconditions, 'uid', isString, 'UID'),
      resourceVersion: optional(preconditions, 'resourceVersion', isString, 'string'),
    },
    ignoreReadErrors: optional(value, unsafe, isBoolean, 'bool') === true,
  };
}

interface GivenOptions {
  readonly value: Record<string, unknown>;
  /** The earlier values of repeated fields. */
  readonly superseded: readonly Readonly<Record<string, unknown>>[];
}

async function readOptions(context: RequestContext, body: Buffer): Promise<GivenOptions> {
  const encoding = context.formats.general.bodyEncoding(context.exchange.header('content-type'));
  try {
    const document = await openDocument(body, encoding, DeleteOptionsSchema);
    checkKind(document);
    const value = document.value();
    // Reject anything else, because a delete cannot be undone.
    if (!isRecord(value)) throw new DecodeError('the options of a delete must be an object');
    const inside = isRecord(value.preconditions) ? supersededIn(document, value.preconditions) : [];
    return {
      value,
      superseded: [...supersededIn(document, value), ...inside.map((preconditions) => ({ preconditions }))],
    };
  } catch (error) {
    if (error instanceof BoundsError) throw tooLargeBody(error.message);
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(error.message, { cause: error });
  }
}

function supersededIn({ source }: OpenDocument, object: object): GivenOptions['superseded'] {
  return [...(source?.superseded.get(object)?.values() ?? [])].flat();
}

/** Any version is accepted, but the fields of another kind have other meanings. */
function checkKind({ kind, apiVersion }: OpenDocument): void {
  if (typeof kind !== 'string' || kind === '' || kind === 'DeleteOptions') return;
  const scheme = 'pkg/apis/meta/internalversion/scheme/register.go:27';
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  throw new DecodeError(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme ${goQuote(scheme)}`,
  );
}

function optional<T>(
  from: Readonly<Record<string, unknown>>,
  name: string,
  is: (value: unknown) => value is T,
  type = '',
): T | undefined {
  const value = from[name];
  if (value === undefined || value === null) return undefined;
  if (is(value)) return value;
  const found = jsonTypeName(value);
  throw badRequest(`json: cannot unmarshal ${found} into Go struct field DeleteOptions.${name} of type ${type}`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isString = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isInteger = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || Number.isSafeInteger(value);
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString);

function propagationErrors({ orphanDependents, propagationPolicy }: DeleteOptions): FieldError[] {
  if (propagationPolicy === undefined) return [];
  const field = 'propagationPolicy';
  if (orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    return [invalidValue(field, propagationPolicy, detail)];
  }
  if (['Foreground', 'Background', 'Orphan'].includes(propagationPolicy)) return [];
  return [notSupportedValue(field, propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil'])];
}

/** An unsafe delete does not read the object, so it cannot be combined with options that depend on it. */
function unsafeErrors(options: DeleteOptions, { isCollection, allowUnsafe }: DeleteOptionsRules): FieldError[] {
  if (!options.ignoreReadErrors) return [];
  if (!allowUnsafe) {
    return [forbiddenValue(unsafe, 'may only be set when the feature gate AllowUnsafeMalformedObjectDeletion is on')];
  }
  const refused = (detail: string): FieldError => invalidValue(unsafe, true, detail);
  if (isCollection) {
    return [refused('is not allowed with DELETECOLLECTION, try again after removing the option')];
  }
  const { dryRun, propagationPolicy, orphanDependents, gracePeriodSeconds, preconditions } = options;
  const others = {
    dryRun: dryRun || undefined,
    propagationPolicy,
    orphanDependents,
    gracePeriodSeconds,
    preconditions,
  };
  return Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => refused(`cannot be set together with .${name}`));
}
