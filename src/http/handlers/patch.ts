import type { EncodingName } from '../../codec/media-types.ts';
import { requestMediaType } from '../../codec/negotiation.ts';
import { forbiddenValue, requiredValue } from '../../meta/field-error.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { invalid, StatusError, unsupportedMediaType } from '../../meta/status-error.ts';
import type { PatchType, Verbs, WriteResult } from '../../registry/index.ts';
import type { ObjectFormats } from '../object-formats.ts';
import { booleanParameter } from '../query-values.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { outputFormat, type ServedType } from '../responses/output-format.ts';
import { respondObject } from '../responses/respond-object.ts';
import { writeOptions } from '../write-options.ts';
import { readBody } from './read-body.ts';

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
};

/** The encodings of apply configurations. The YAML one includes JSON. */
const applyTypes: Readonly<Record<string, EncodingName>> = {
  'application/apply-patch+yaml': 'yaml',
  'application/apply-patch+cbor': 'cbor',
};

interface PatchHandlerOptions {
  readonly patch: NonNullable<Verbs['patch']>;
  readonly apply: Verbs['apply'];
  readonly servedType: ServedType;
  /** Custom types have no strategic merge patches, not even of their scales. */
  readonly isCustom: boolean;
  readonly authorizeCreate: () => MaybePromise<void>;
}

export async function handlePatch(
  context: RequestContext,
  target: ResourceTarget,
  dependencies: PatchHandlerOptions,
): Promise<void> {
  const { exchange, formats } = context;
  const format = outputFormat(context, dependencies.servedType, formats.objects);
  const contentType = exchange.header('content-type');
  const mediaType = contentType === undefined ? '' : requestMediaType(contentType);
  const patchType = patchTypes[mediaType];
  const encoding = applyTypes[mediaType];
  let result: WriteResult;
  if (dependencies.isCustom && (patchType === undefined || patchType === 'strategic') && encoding === undefined) {
    throw unsupportedPatchType(formats);
  }
  if (patchType !== undefined) {
    result = await patchWith(context, target, { patch: dependencies.patch, patchType });
  } else if (encoding !== undefined && formats.supports(encoding) && dependencies.apply !== undefined) {
    const { apply, authorizeCreate } = dependencies;
    result = await applyWith(context, target, { apply, encoding, authorizeCreate });
  } else {
    throw unknownPatchType();
  }
  context.reached('storage');
  respondObject(exchange, format, { status: result.created ? 201 : 200, document: result.bytes });
}

async function patchWith(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  { patch, patchType }: { patch: NonNullable<Verbs['patch']>; patchType: PatchType },
): Promise<WriteResult> {
  const { exchange, warn } = context;
  const options = writeOptions(context, 'PatchOptions');
  if (exchange.query !== '' && context.query.has('force')) {
    throw invalidOptions(forbiddenValue('force', 'may not be specified for non-apply patch'));
  }
  const body = await readBody(exchange);
  context.reached('body');
  return patch({ namespace, name, body, patchType, warn, ...options });
}

async function applyWith(
  context: RequestContext,
  { namespace, name }: ResourceTarget,
  dependencies: {
    apply: NonNullable<Verbs['apply']>;
    encoding: EncodingName;
    authorizeCreate: () => MaybePromise<void>;
  },
): Promise<WriteResult> {
  const { apply, encoding, authorizeCreate } = dependencies;
  const { exchange, warn } = context;
  const options = writeOptions(context, 'PatchOptions');
  // The default manager, the program's name, is not sufficient: a client that changes it would leave its fields behind.
  if (context.parameter('fieldManager') === '') {
    throw invalidOptions(requiredValue('fieldManager', 'is required for apply patch'));
  }
  const force = booleanParameter(context, 'force') === true;
  const body = await readBody(exchange);
  context.reached('body');
  return apply({ namespace, name, body, encoding, force, authorizeCreate, warn, ...options });
}

function invalidOptions(error: ReturnType<typeof requiredValue>): StatusError {
  return invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [error]);
}

/** Custom types have their own message. */
function unsupportedPatchType(formats: ObjectFormats): StatusError {
  const patches = Object.keys(patchTypes).filter((type) => patchTypes[type] !== 'strategic');
  const accepted = [...patches, ...Object.keys(applyTypes).filter((type) => formats.supports(applyTypes[type]!))];
  return unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

/** Decided before the resource is looked up, so the details do not name it. */
function unknownPatchType(): StatusError {
  const message = '415: Unsupported Media Type';
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message, details: {} });
}
