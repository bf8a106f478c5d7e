import type { ResourceDefinition, SubresourceDefinition, Verb } from '../../registry/resource-definition.ts';
import { isCustom } from '../discovery/served-catalog.ts';
import { connectOperations, isConnection, isProxy } from './connect-operations.ts';
import type { Operation, PathItem } from './operation.ts';
import { capitalized, operationId } from './operation-id.ts';
import {
  nameParameter,
  namespaceParameter,
  optionParameters,
  type Parameter,
  pathParameter,
  pretty,
} from './parameters.ts';
import { pathItem } from './path-item.ts';
import { customKinds, type DocumentType } from './published-type.ts';
import { type OperationContext, type VerbTarget, verbOperation } from './resource-operations.ts';
import { watchPaths } from './watch-paths.ts';

const collectionVerbs = ['list', 'create', 'deletecollection'] as const;
const itemVerbs = ['get', 'update', 'delete', 'patch'] as const;
const subresourceVerbs = ['get', 'create', 'update', 'patch', 'delete'] as const;

/** `/api/v1` or `/apis/<group>/<version>`. */
export function versionPath({ group, version }: { group: string; version: string }): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** All paths of a resource and its subresources. */
export function resourcePaths(definition: ResourceDefinition, context: OperationContext): PathItem[] {
  const { resource, namespaced, verbs, kind } = definition;
  const base = versionPath(definition);
  const collection = namespaced ? `${base}/namespaces/{namespace}/${resource}` : `${base}/${resource}`;
  const shared: Parameter[] = namespaced ? [namespaceParameter, pretty] : [pretty];
  const types = typesOf(definition, context);
  const target: VerbTarget = {
    definition,
    suffix: '',
    kind: { ...gvk(definition), kind },
    type: types.object,
    ...(types.list !== undefined && { list: types.list }),
  };
  const item = { path: `${collection}/{name}`, parameters: [nameParameter(kind), ...shared] };
  const operations = <V extends Verb & Parameters<typeof verbOperation>[0]>(wanted: readonly V[]): Operation[] =>
    wanted.filter((verb) => verbs.includes(verb)).map((verb) => verbOperation(verb, target, context));
  const items: PathItem[] = [
    pathItem(collection, shared, operations(collectionVerbs)),
    pathItem(item.path, item.parameters, operations(itemVerbs)),
    ...definition.subresources.flatMap((subresource) =>
      subresourcePaths(subresource, { definition, type: types.object, item, context }),
    ),
  ];
  if (namespaced && verbs.includes('list')) items.push(allNamespaces(target, `${base}/${resource}`, context));
  if (verbs.includes('watch') && !isCustom(definition))
    items.push(...watchPaths({ target, base, media: context.media }));
  return items.filter((candidate) => candidate.operations.length > 0);
}

/** The types of one object and of a list. */
function typesOf(definition: ResourceDefinition, { kinds }: OperationContext): Types {
  if (isCustom(definition)) return customKinds(definition);
  const { schema, kind, verbs } = definition;
  if (!verbs.includes('list')) return { object: schema };
  return { object: schema, list: kinds.listOf(schema, { ...gvk(definition), kind }) };
}

interface Types {
  readonly object: DocumentType;
  readonly list?: DocumentType;
}

function allNamespaces(target: VerbTarget, path: string, context: OperationContext): PathItem {
  const { definition } = target;
  const id = operationId({
    verb: 'list',
    ...gvk(definition),
    namespaced: false,
    kind: definition.kind,
    suffix: 'ForAllNamespaces',
  });
  return pathItem(path, [pretty], [{ ...verbOperation('list', target, context), id }]);
}

interface Parent {
  readonly definition: ResourceDefinition;
  readonly type: DocumentType;
  readonly item: Omit<PathItem, 'operations'>;
  readonly context: OperationContext;
}

function subresourcePaths(subresource: SubresourceDefinition, parent: Parent): PathItem[] {
  const { definition, item, context } = parent;
  const suffix = capitalized(subresource.name);
  const kind = { ...(subresource.groupVersion ?? gvk(definition)), kind: subresource.kind };
  const isSame = subresource.kind === definition.kind;
  const ofKind = isSame ? undefined : context.kinds.typeOf(kind);
  const target: VerbTarget = { definition, suffix, kind, type: isSame ? parent.type : ofKind };
  const path = `${item.path}/${subresource.name}`;
  const options = subresourceOptions(subresource, definition, context);
  if (!isSame && isConnection(subresource)) {
    const parameters = [...item.parameters.filter(({ name }) => name !== 'pretty'), ...options];
    const direct = pathItem(path, parameters, connectOperations(subresource, target, suffix));
    if (!isProxy(subresource)) return [direct];
    const operations = connectOperations(subresource, target, `${suffix}WithPath`);
    return [direct, pathItem(`${path}/{path}`, [...parameters, pathParameter], operations)];
  }
  const operations = subresourceVerbs
    .filter((verb) => subresource.verbs.includes(verb))
    .map((verb) => verbOperation(verb, target, context));
  if (!isText(subresource, definition)) return [pathItem(path, item.parameters, operations)];
  return [pathItem(path, [...item.parameters, ...options], operations.map(asText))];
}

/** The parameters of all subresources that have options. Only the type itself uses them. */
export function ownParameters(definition: ResourceDefinition, context: OptionsContext): Parameter[] {
  return definition.subresources.flatMap((subresource) => subresourceOptions(subresource, definition, context));
}

/**
 * Whether a subresource is text rather than an object, such as the log of a pod: its kind is that of the resource, and
 * it can only be read.
 */
function isText({ kind, verbs }: SubresourceDefinition, definition: ResourceDefinition): boolean {
  return kind === definition.kind && verbs.length === 1 && verbs[0] === 'get';
}

function asText(operation: Operation): Operation {
  return { ...operation, produces: ['text/plain', ...operation.produces], responses: [{ code: 200, type: 'text' }] };
}

type OptionsContext = Pick<OperationContext, 'kinds' | 'descriptions'>;

/**
 * The query parameters of a connection or of a text. A proxy also has a path parameter with the name of one of them.
 */
function subresourceOptions(
  subresource: SubresourceDefinition,
  definition: ResourceDefinition,
  { kinds, descriptions }: OptionsContext,
): Parameter[] {
  const { kind, optionsKind = kind, groupVersion = gvk(definition) } = subresource;
  if (optionsKind === definition.kind || !optionsKind.endsWith('Options')) return [];
  const type = kinds.typeOf({ ...groupVersion, kind: optionsKind });
  return type === undefined ? [] : optionParameters(type, descriptions);
}

function gvk({ group, version }: ResourceDefinition): { group: string; version: string } {
  return { group, version };
}
