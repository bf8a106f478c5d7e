import type { ResourceDefinition, Verb } from '../../registry/resource-definition.ts';
import { DeleteOptions, Patch, Status } from '../../schema/meta-types.ts';
import { isCustom } from '../discovery/served-catalog.ts';
import type { Descriptions } from './descriptions.ts';
import type { GroupVersionKind, KindIndex } from './kind-index.ts';
import type { Action, Body, Method, Operation, Response, ServedMediaTypes } from './operation.ts';
import { operationId, tagOf } from './operation-id.ts';
import {
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  type Parameter,
  patchParameters,
  resourceVersion,
  writeParameters,
} from './parameters.ts';
import type { DocumentType } from './published-type.ts';

export interface OperationContext {
  readonly kinds: KindIndex;
  readonly descriptions: Descriptions;
  readonly media: ServedMediaTypes;
}

/** One verb of a resource or subresource. */
export interface VerbTarget {
  readonly definition: ResourceDefinition;
  /** Part of the operation ID: empty, or the capitalized name of a subresource. */
  readonly suffix: string;
  readonly kind: GroupVersionKind;
  /** Undefined when the catalog has no such kind. */
  readonly type: DocumentType | undefined;
  /** The response type of a list request, if the type can be listed. */
  readonly list?: DocumentType;
}

type VerbWithoutWatch = Exclude<Verb, 'watch'>;

interface VerbOperation {
  readonly method: Method;
  readonly action: Action;
  /** The first word of the operation ID. */
  readonly word: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly codes: readonly Response['code'][];
}

const verbOperations: Readonly<Record<VerbWithoutWatch, VerbOperation>> = {
  get: { method: 'get', action: 'get', word: 'read', description: 'read', parameters: [], codes: [200] },
  list: {
    method: 'get',
    action: 'list',
    word: 'list',
    description: 'list or watch',
    parameters: listParameters,
    codes: [200],
  },
  create: {
    method: 'post',
    action: 'post',
    word: 'create',
    description: 'create',
    parameters: writeParameters,
    codes: [200, 201, 202],
  },
  update: {
    method: 'put',
    action: 'put',
    word: 'replace',
    description: 'replace',
    parameters: writeParameters,
    codes: [200, 201],
  },
  patch: {
    method: 'patch',
    action: 'patch',
    word: 'patch',
    description: 'change parts of',
    parameters: patchParameters,
    codes: [200, 201],
  },
  delete: {
    method: 'delete',
    action: 'delete',
    word: 'delete',
    description: 'delete',
    parameters: deleteParameters,
    codes: [200, 202],
  },
  deletecollection: {
    method: 'delete',
    action: 'deletecollection',
    word: 'delete',
    description: 'delete all selected objects of kind',
    parameters: deleteCollectionParameters,
    codes: [200],
  },
};

/** kube-apiserver describes some operations of custom types in another way. */
const customOperations: Readonly<Partial<Record<VerbWithoutWatch, Partial<VerbOperation>>>> = {
  get: { parameters: [resourceVersion] },
  patch: { codes: [200] },
  deletecollection: { parameters: listParameters },
};

export function verbOperation(verb: VerbWithoutWatch, target: VerbTarget, context: OperationContext): Operation {
  const { definition, suffix, kind } = target;
  const { group, version, namespaced } = definition;
  const own = isCustom(definition) ? customOperations[verb] : undefined;
  const { method, action, word, description, parameters, codes } = { ...verbOperations[verb], ...own };
  const { objects, streams } = context.media;
  const responseType = responseTypeOf(verb, target);
  return {
    method,
    action,
    id: operationId({
      verb: word,
      group,
      version,
      ...(verb === 'deletecollection' && { infix: 'Collection' }),
      namespaced,
      kind: definition.kind,
      suffix,
    }),
    tag: tagOf({ group, version }),
    description: `${description} ${suffix === '' ? '' : `${suffix.toLowerCase()} of `}${definition.kind}`,
    kind,
    parameters,
    ...requestBody(verb, target, context.media),
    produces: verb === 'list' ? [...objects, ...streams] : objects,
    responses: codes.map((code) => ({ code, type: responseType })),
  };
}

function responseTypeOf(verb: VerbWithoutWatch, { definition, type, list }: VerbTarget): DocumentType | undefined {
  if (verb === 'list') return list;
  if (verb === 'deletecollection') return Status;
  if (verb === 'delete') return announcesDeleted(definition) ? type : Status;
  return type;
}

/** Whether documents say that DELETE responds with the object. */
export function announcesDeleted({ rules }: ResourceDefinition): boolean {
  return rules.returnsDeleted && rules.announcesDeleted !== false;
}

/** The body and its media types. Those of built-in types are also stated where there is no body. */
function requestBody(
  verb: VerbWithoutWatch,
  target: VerbTarget,
  { bodies, patches }: ServedMediaTypes,
): Pick<Operation, 'body' | 'consumes'> {
  const body = bodyOf(verb, target);
  if (body === undefined) return isCustom(target.definition) ? {} : { consumes: bodies };
  return { body, consumes: verb === 'patch' ? patches : bodies };
}

function bodyOf(verb: VerbWithoutWatch, { definition, type }: VerbTarget): Body | undefined {
  switch (verb) {
    case 'get':
    case 'list':
      return undefined;
    case 'patch':
      return { type: Patch, required: true };
    case 'delete':
      return { type: DeleteOptions, required: false };
    case 'deletecollection':
      return isCustom(definition) ? undefined : { type: DeleteOptions, required: false };
    default:
      return type && { type, required: true };
  }
}
