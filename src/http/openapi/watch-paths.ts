import { WatchEvent } from '../../schema/meta-types.ts';
import type { Action, Operation, PathItem, ServedMediaTypes } from './operation.ts';
import { type OperationIdFields, operationId, tagOf } from './operation-id.ts';
import { listParameters, nameParameter, namespaceParameter, pretty } from './parameters.ts';
import { pathItem } from './path-item.ts';
import type { VerbTarget } from './resource-operations.ts';

const deprecation = 'Deprecated: list with the parameter `watch` instead';

interface WatchPathOptions {
  readonly target: VerbTarget;
  /** The path of the group version. */
  readonly base: string;
  readonly media: ServedMediaTypes;
}

/** The deprecated paths of watches: of a type, of its objects in a namespace, and of one object. */
export function watchPaths({ target, base, media }: WatchPathOptions): PathItem[] {
  const { group, version, resource, namespaced, kind } = target.definition;
  const own = namespaced ? [namespaceParameter, pretty] : [pretty];
  const collection = `${base}/watch/${namespaced ? `namespaces/{namespace}/${resource}` : resource}`;
  const operation = (
    action: Action,
    description: string,
    id: Pick<OperationIdFields, 'namespaced' | 'suffix'>,
  ): Operation => ({
    method: 'get',
    action,
    id: operationId({ verb: 'watch', group, version, kind, ...id }),
    tag: tagOf({ group, version }),
    description,
    kind: target.kind,
    parameters: listParameters,
    consumes: media.bodies,
    produces: [...media.objects, ...media.streams],
    responses: [{ code: 200, type: WatchEvent }],
  });
  const all = `watch objects of kind ${kind}. ${deprecation}.`;
  const one = `watch an object of kind ${kind}. ${deprecation}, and select the name with \`fieldSelector\`.`;
  const items = [
    pathItem(collection, own, [operation('watchlist', all, { namespaced, suffix: 'List' })]),
    pathItem(`${collection}/{name}`, [nameParameter(kind), ...own], [operation('watch', one, { namespaced })]),
  ];
  if (!namespaced) return items;
  const everywhere = operation('watchlist', all, { namespaced: false, suffix: 'ListForAllNamespaces' });
  return [...items, pathItem(`${base}/watch/${resource}`, [pretty], [everywhere])];
}
