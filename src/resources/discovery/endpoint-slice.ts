import type { ResourceObject } from '../../meta/object.ts';
import type { Endpoint, EndpointPort } from './endpoint-slice-types.ts';

export function endpointsOf(object: ResourceObject): readonly Endpoint[] {
  return (object.endpoints as readonly Endpoint[] | null | undefined) ?? [];
}

export function portsOf(object: ResourceObject): readonly EndpointPort[] {
  return (object.ports as readonly EndpointPort[] | null | undefined) ?? [];
}
