import type { Connect, ConnectRequest } from '../http/handlers/connect.ts';
import type { ResourceObject } from '../meta/object.ts';
import { admissionRequest, virtualTarget } from '../registry/admit-write.ts';
import { type ResourceSet, subresourceKind } from '../registry/index.ts';
import { builtInKind, schemaOf } from '../resources/index.ts';

/** Runs admission before subresources that connect clients to other servers, by names such as `pods/exec`. */
export function admittedConnections(
  resources: ResourceSet,
  endpoints: Readonly<Record<string, Connect>>,
): ReadonlyMap<string, Connect> {
  return new Map(Object.entries(endpoints).map(([path, connect]) => [path, admitted(resources, { path, connect })]));
}

function admitted(resources: ResourceSet, { path, connect }: { path: string; connect: Connect }): Connect {
  const [resource = '', subresource = ''] = path.split('/');
  const endpoint = { group: '', version: 'v1', resource };
  const { definition } = resources.find(endpoint)!;
  const { kind, optionsKind } = definition.subresources.find(({ name }) => name === subresource)!;
  // Such a subresource is read like an object and connects to nothing.
  if (optionsKind !== undefined) return connect;
  const schema = schemaOf({ ...endpoint, kind })!;
  const target = virtualTarget(subresourceKind({ ...endpoint, kind, schema, knownKind: builtInKind }), {
    resource: endpoint,
    subresource,
    namespaced: definition.namespaced,
  });
  const requestOf = ({ context, target: item, options }: ConnectRequest, object: ResourceObject) =>
    admissionRequest(target, {
      operation: 'CONNECT',
      object,
      oldObject: undefined,
      item,
      user: context.knownUser,
      dryRun: false,
      warn: context.warn,
      admissionContext: context.admissionContext(options),
    });
  const admit = async (request: ConnectRequest): Promise<void> => {
    // Such options have no metadata, although all other objects that are admitted do.
    const sent = { kind, apiVersion: 'v1', ...request.options } as unknown as ResourceObject;
    const object = (await resources.admission?.mutate(requestOf(request, sent))) ?? sent;
    await resources.admission?.validate(requestOf(request, object));
    const { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, ...options } = object;
    await connect({ ...request, options });
  };
  return (request) => (resources.admission?.concerns('CONNECT', target) ? admit(request) : connect(request));
}
