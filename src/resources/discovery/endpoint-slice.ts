import type { ResourceObject } from '../../meta/object.ts';

/** The fields of a slice that the rules read. */
export interface Endpoint {
  readonly addresses?: readonly string[] | null;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly hints?: { readonly forZones?: readonly EndpointHint[]; readonly forNodes?: readonly EndpointHint[] };
  deprecatedTopology?: unknown;
}

export interface EndpointHint {
  readonly name?: string;
}

export interface EndpointPort {
  name?: string;
  protocol?: string;
  readonly port?: number;
  readonly appProtocol?: string;
}

export function endpointsOf(object: ResourceObject): readonly Endpoint[] {
  return (object.endpoints as readonly Endpoint[] | null | undefined) ?? [];
}

export function portsOf(object: ResourceObject): readonly EndpointPort[] {
  return (object.ports as readonly EndpointPort[] | null | undefined) ?? [];
}
