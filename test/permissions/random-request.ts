import type { ResourceAction } from './naive-evaluator.ts';
import { namespaces } from './random-policy.ts';
import type { Random, RandomRequest } from './request.ts';
import { collectionPath, objectOf, type ResourceType, resourceTypes, rootOf } from './resource-types.ts';
import { subresourceRequest } from './subresource-request.ts';

/** A version that is older than any object. */
const old = { resourceVersion: '1' };
const names = ['one', 'one', 'two', 'absent'];

/** Returns a random request of any kind. */
export function randomRequest(random: Random): RandomRequest {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  switch (random(9)) {
    case 0:
      return pathRequest(pick);
    case 1:
      return namespaceRequest(pick);
    case 2:
    case 3:
      return subresourceRequest(random);
    case 4:
      return { method: 'GET', path: '/api/v1/namespaces/a/gadgets', actions: [unknown] };
    default:
      return random(2) === 0
        ? collectionRequest(random, pick(resourceTypes))
        : itemRequest(random, pick(resourceTypes));
  }
}

type Pick = <T>(values: readonly T[]) => T;
const unknown: ResourceAction = { verb: 'list', group: '', resource: 'gadgets', namespace: 'a' };

function pathRequest(pick: Pick): RandomRequest {
  const paths = ['/healthz', '/healthz/ping', '/version', '/api', '/api/v1', '/apis', '/apis/apps', '/openapi/v3'];
  const path = pick([...paths, '/metrics', '/absent', '/healthzz', '/livez/ping']);
  const method = pick(['GET', 'GET', 'GET', 'POST', 'PUT', 'HEAD', 'DELETE']);
  return { method, path, actions: [{ verb: method.toLowerCase(), path }] };
}

/** A namespace is cluster-scoped, but its requests are authorized within the namespace itself. */
function namespaceRequest(pick: Pick): RandomRequest {
  const name = pick([...namespaces, 'one', 'absent']);
  const on = (verb: string): ResourceAction[] => [{ verb, group: '', resource: 'namespaces', namespace: name, name }];
  const all = (verb: string): ResourceAction[] => [{ verb, group: '', resource: 'namespaces' }];
  const path = `/api/v1/namespaces/${name}`;
  const labels = { changed: 'yes' };
  return pick<RandomRequest>([
    { method: 'GET', path, actions: on('get') },
    { method: 'DELETE', path, harmless: { preconditions: { uid: 'x' } }, actions: on('delete') },
    {
      method: 'PATCH',
      path,
      type: 'application/merge-patch+json',
      body: { metadata: { labels } },
      harmless: { metadata: old },
      actions: on('patch'),
    },
    { method: 'GET', path: '/api/v1/namespaces', actions: all('list') },
    { method: 'GET', path: '/api/v1/namespaces?watch=1', actions: all('watch') },
    {
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: 'fresh' } },
      harmless: { metadata: { name: 'a' } },
      actions: all('create'),
    },
  ]);
}

function collectionRequest(random: Random, type: ResourceType): RandomRequest {
  const { group, resource } = type;
  const namespace = type.namespaced && random(3) > 0 ? namespaces[random(3)]! : undefined;
  const action = (verb: string, name?: string): ResourceAction[] => [
    { verb, group, resource, ...(namespace && { namespace }), ...(name && { name }) },
  ];
  const path = collectionPath(type, namespace);
  const watchPath = `${rootOf(type)}/watch${path.slice(rootOf(type).length)}`;
  const options: RandomRequest[] = [
    { method: 'GET', path, actions: action('list') },
    { method: 'GET', path: `${path}?watch=0&limit=1`, actions: action('list') },
    { method: 'GET', path: `${path}?fieldSelector=metadata.name%3Done`, actions: action('list', 'one') },
    { method: 'GET', path: `${path}?fieldSelector=metadata.name%3D%3Dtwo&limit=5`, actions: action('list', 'two') },
    { method: 'GET', path: `${path}?fieldSelector=metadata.name%21%3Done`, actions: action('list') },
    { method: 'GET', path: `${path}?watch=true`, actions: action('watch') },
    { method: 'GET', path: `${path}?watch=1&fieldSelector=metadata.name%3Done`, actions: action('watch', 'one') },
    { method: 'GET', path: watchPath, actions: action('watch') },
    { method: 'GET', path: `${watchPath}?fieldSelector=metadata.name%3Dtwo`, actions: action('watch', 'two') },
    {
      method: 'POST',
      path,
      body: objectOf(type, { name: 'fresh' }),
      harmless: objectOf(type, { name: 'one' }),
      actions: action('create'),
    },
    {
      method: 'DELETE',
      // A name in a field selector is used only in the authorization of reads.
      path: `${path}?fieldSelector=metadata.name%3Done&labelSelector=kept%21%3Dyes`,
      actions: action('deletecollection'),
    },
  ];
  return options[random(options.length)]!;
}

function itemRequest(random: Random, type: ResourceType): RandomRequest {
  const { group, resource } = type;
  const name = names[random(names.length)]!;
  const namespace = type.namespaced ? namespaces[random(3)]! : undefined;
  const action = (verb: string): ResourceAction => ({ verb, group, resource, ...(namespace && { namespace }), name });
  const collection = collectionPath(type, namespace);
  const path = `${collection}/${name}`;
  // A PUT or apply of an absent object creates it, which must also be allowed.
  const write = (verb: string): ResourceAction[] =>
    name === 'absent' ? [action(verb), action('create')] : [action(verb)];
  const apply = 'application/apply-patch+yaml';
  const update = {
    body: objectOf(type, { name, labels: { changed: 'yes' } }),
    ...(name !== 'absent' && { harmless: objectOf(type, { name, ...old }) }),
  };
  const patch = { body: { metadata: { labels: { changed: 'yes' } } }, harmless: { metadata: old } };
  const options: RandomRequest[] = [
    { method: 'GET', path, actions: [action('get')] },
    { method: 'HEAD', path, actions: [action('get')] },
    { method: 'GET', path: `${path}?watch=1`, actions: [action('get')] },
    { method: 'GET', path: `${rootOf(type)}/watch${path.slice(rootOf(type).length)}`, actions: [action('watch')] },
    { method: 'PUT', path, ...update, actions: write('update') },
    { method: 'PATCH', path, type: 'application/merge-patch+json', ...patch, actions: [action('patch')] },
    { method: 'PATCH', path, type: 'application/strategic-merge-patch+json', ...patch, actions: [action('patch')] },
    { method: 'PATCH', path: `${path}?fieldManager=m&force=true`, type: apply, ...update, actions: write('patch') },
    { method: 'DELETE', path, harmless: { preconditions: { uid: 'x' } }, actions: [action('delete')] },
  ];
  return options[random(options.length)]!;
}
