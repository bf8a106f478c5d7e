import type { ResourceAction } from './naive-evaluator.ts';
import { namespaces } from './random-policy.ts';
import type { Random, RandomRequest } from './request.ts';
import { collectionPath, objectOf, resourceType } from './resource-types.ts';

const merge = 'application/merge-patch+json';
const old = { metadata: { resourceVersion: '1' } };
const wrongUid = { preconditions: { uid: 'x' } };

/** Returns a random request for a subresource. Subresources have their own permissions. */
export function subresourceRequest(random: Random): RandomRequest {
  const namespace = namespaces[random(3)]!;
  const name = ['one', 'one', 'two', 'absent'][random(4)]!;
  const metadata = { name, namespace };
  const replicas = { spec: { replicas: 3 } };
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
  const subresources = subresourcesOf(namespace, name);
  const deployments = subresources('deployments');
  const pods = subresources('pods');
  const accounts = subresources('serviceaccounts');
  const status = objectOf(resourceType('deployments'), { name, annotations: { changed: 'yes' } });
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
  const options: RandomRequest[] = [
    { method: 'GET', ...deployments('scale', 'get') },
    {
      method: 'PUT',
      ...deployments('scale', 'update'),
      body: { ...scale, metadata, ...replicas },
      harmless: { ...scale, metadata: { ...metadata, resourceVersion: '1' }, ...replicas },
    },
    { method: 'PATCH', ...deployments('scale', 'patch'), type: merge, body: replicas, harmless: old },
    { method: 'GET', ...deployments('status', 'get') },
    {
      method: 'PUT',
      ...deployments('status', 'update'),
      body: status,
      harmless: objectOf(resourceType('deployments'), { name, resourceVersion: '1' }),
    },
    {
      method: 'PATCH',
      ...deployments('status', 'patch'),
      type: merge,
      body: { status: { replicas: 3 } },
      harmless: old,
    },
    { method: 'GET', ...pods('log', 'get') },
    { method: 'GET', ...pods('status', 'get') },
    { method: 'GET', ...pods('gadget', 'get') },
    { method: 'PATCH', ...pods('status', 'patch'), type: merge, body: { status: { phase: 'Failed' } }, harmless: old },
    {
      method: 'POST',
      ...pods('eviction', 'create'),
      body: eviction,
      harmless: { ...eviction, deleteOptions: wrongUid },
    },
    // Tokens are not stored.
    { method: 'POST', ...accounts('token', 'create'), body: { spec: {} }, harmless: { spec: {} } },
    { method: 'GET', ...namespaceSubresource(namespace, 'status', 'get') },
    {
      method: 'PATCH',
      ...namespaceSubresource(namespace, 'status', 'patch'),
      type: merge,
      body: { metadata: { annotations: { changed: 'yes' } } },
      harmless: old,
    },
  ];
  return options[random(options.length)]!;
}

type Target = Pick<RandomRequest, 'path' | 'actions'>;

function subresourcesOf(namespace: string, name: string) {
  return (resource: string) =>
    (subresource: string, verb: string): Target => {
      const what = resourceType(resource);
      const action: ResourceAction = { verb, group: what.group, resource, subresource, namespace, name };
      return { path: `${collectionPath(what, namespace)}/${name}/${subresource}`, actions: [action] };
    };
}

function namespaceSubresource(name: string, subresource: string, verb: string): Target {
  const action: ResourceAction = { verb, group: '', resource: 'namespaces', subresource, namespace: name, name };
  return { path: `/api/v1/namespaces/${name}/${subresource}`, actions: [action] };
}
