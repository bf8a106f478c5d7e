import type { ResourceAction } from './naive-evaluator.ts';
import { namespaces } from './random-policy.ts';
import { subresourceWish } from './subresource-wishes.ts';
import { collectionPath, objectOf, rootOf, type Thing, things } from './things.ts';
import type { Random, Wish } from './wish.ts';

/** The first version that any object has had. */
const old = { resourceVersion: '1' };
const names = ['one', 'one', 'two', 'absent'];

/** What somebody might ask for. */
export function randomWish(random: Random): Wish {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  switch (random(9)) {
    case 0:
      return pathWish(pick);
    case 1:
      return namespaceWish(pick);
    case 2:
    case 3:
      return subresourceWish(random);
    case 4:
      return { method: 'GET', path: '/api/v1/namespaces/a/gadgets', actions: [unknown] };
    default:
      return random(2) === 0 ? collectionWish(random, pick(things)) : itemWish(random, pick(things));
  }
}

type Pick = <T>(values: readonly T[]) => T;
const unknown: ResourceAction = { verb: 'list', group: '', resource: 'gadgets', namespace: 'a' };

function pathWish(pick: Pick): Wish {
  const paths = ['/healthz', '/healthz/ping', '/version', '/api', '/api/v1', '/apis', '/apis/apps', '/openapi/v3'];
  const path = pick([...paths, '/metrics', '/absent', '/healthzz', '/livez/ping']);
  const method = pick(['GET', 'GET', 'GET', 'POST', 'PUT', 'HEAD', 'DELETE']);
  return { method, path, actions: [{ verb: method.toLowerCase(), path }] };
}

/** A namespace is a thing of the cluster that lies within itself. */
function namespaceWish(pick: Pick): Wish {
  const name = pick([...namespaces, 'one', 'absent']);
  const on = (verb: string): ResourceAction[] => [{ verb, group: '', resource: 'namespaces', namespace: name, name }];
  const all = (verb: string): ResourceAction[] => [{ verb, group: '', resource: 'namespaces' }];
  const path = `/api/v1/namespaces/${name}`;
  const labels = { changed: 'yes' };
  return pick<Wish>([
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

function collectionWish(random: Random, what: Thing): Wish {
  const { group, resource } = what;
  const namespace = what.namespaced && random(3) > 0 ? namespaces[random(3)]! : undefined;
  const action = (verb: string, name?: string): ResourceAction[] => [
    { verb, group, resource, ...(namespace && { namespace }), ...(name && { name }) },
  ];
  const path = collectionPath(what, namespace);
  const old = `${rootOf(what)}/watch${path.slice(rootOf(what).length)}`;
  const options: Wish[] = [
    { method: 'GET', path, actions: action('list') },
    { method: 'GET', path: `${path}?watch=0&limit=1`, actions: action('list') },
    { method: 'GET', path: `${path}?fieldSelector=metadata.name%3Done`, actions: action('list', 'one') },
    { method: 'GET', path: `${path}?fieldSelector=metadata.name%3D%3Dtwo&limit=5`, actions: action('list', 'two') },
    { method: 'GET', path: `${path}?fieldSelector=metadata.name%21%3Done`, actions: action('list') },
    { method: 'GET', path: `${path}?watch=true`, actions: action('watch') },
    { method: 'GET', path: `${path}?watch=1&fieldSelector=metadata.name%3Done`, actions: action('watch', 'one') },
    { method: 'GET', path: old, actions: action('watch') },
    { method: 'GET', path: `${old}?fieldSelector=metadata.name%3Dtwo`, actions: action('watch', 'two') },
    {
      method: 'POST',
      path,
      body: objectOf(what, { name: 'fresh' }),
      harmless: objectOf(what, { name: 'one' }),
      actions: action('create'),
    },
    {
      method: 'DELETE',
      // Names in a selector count for reading only.
      path: `${path}?fieldSelector=metadata.name%3Done&labelSelector=kept%21%3Dyes`,
      actions: action('deletecollection'),
    },
  ];
  return options[random(options.length)]!;
}

function itemWish(random: Random, what: Thing): Wish {
  const { group, resource } = what;
  const name = names[random(names.length)]!;
  const namespace = what.namespaced ? namespaces[random(3)]! : undefined;
  const action = (verb: string): ResourceAction => ({ verb, group, resource, ...(namespace && { namespace }), name });
  const collection = collectionPath(what, namespace);
  const path = `${collection}/${name}`;
  // What is not there is made, by who may do that too.
  const write = (verb: string): ResourceAction[] =>
    name === 'absent' ? [action(verb), action('create')] : [action(verb)];
  const apply = 'application/apply-patch+yaml';
  const update = {
    body: objectOf(what, { name, labels: { changed: 'yes' } }),
    ...(name !== 'absent' && { harmless: objectOf(what, { name, ...old }) }),
  };
  const patch = { body: { metadata: { labels: { changed: 'yes' } } }, harmless: { metadata: old } };
  const options: Wish[] = [
    { method: 'GET', path, actions: [action('get')] },
    { method: 'HEAD', path, actions: [action('get')] },
    { method: 'GET', path: `${path}?watch=1`, actions: [action('get')] },
    { method: 'GET', path: `${rootOf(what)}/watch${path.slice(rootOf(what).length)}`, actions: [action('watch')] },
    { method: 'PUT', path, ...update, actions: write('update') },
    { method: 'PATCH', path, type: 'application/merge-patch+json', ...patch, actions: [action('patch')] },
    { method: 'PATCH', path, type: 'application/strategic-merge-patch+json', ...patch, actions: [action('patch')] },
    { method: 'PATCH', path: `${path}?fieldManager=m&force=true`, type: apply, ...update, actions: write('patch') },
    { method: 'DELETE', path, harmless: { preconditions: { uid: 'x' } }, actions: [action('delete')] },
  ];
  return options[random(options.length)]!;
}
