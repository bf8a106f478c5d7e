import { anyShape } from '../merge/managed-fields/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { serverUser } from '../meta/user.ts';
import type { AdmissionPlugin, MutationPass } from './admission-plugin.ts';
import type { AdmissionRequest, AdmissionTarget } from './admission-request.ts';

const noObject: ObjectReader = { get: () => undefined, list: () => [] };

/** An endpoint that reads every object as it is. `path`: `group/resource[/subresource]`. */
export function testTarget(path: string, kind = 'Some'): AdmissionTarget {
  const [group = '', resource = '', subresource = ''] = path.split('/');
  const version = 'v1';
  const target: AdmissionTarget = {
    kind: { group, version, kind },
    resource: { group, version, resource },
    subresource,
    namespaced: true,
    objects: {
      decode: (value) => value as ResourceObject,
      shape: () => ({ type: 'struct', atomic: false, fields: new Map(), rest: anyShape }),
      equivalents: () => [target],
      convert: (object) => structuredClone(object),
    },
  };
  return target;
}

/** A request to an endpoint, by default a create in namespace `ns` by the server itself. */
export function testRequest(
  target: AdmissionTarget,
  request: Partial<Omit<AdmissionRequest, 'target'>> = {},
): AdmissionRequest {
  const { kind, resource, subresource } = target;
  return {
    target,
    operation: 'CREATE',
    kind,
    resource,
    subresource,
    namespace: 'ns',
    name: 'a',
    object: { metadata: {} },
    oldObject: undefined,
    options: {},
    user: serverUser,
    dryRun: false,
    warn: () => {},
    annotate: () => {},
    ...request,
  };
}

/** Runs the mutation of one plugin and returns the resulting object. */
export async function mutateWith(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
  objects: ObjectReader = noObject,
): Promise<ResourceObject> {
  const pass: MutationPass = { isReinvocation: false, reinvoke: () => {}, memory: new Map() };
  return (await plugin.mutate!(request, objects, pass)) ?? request.object;
}
