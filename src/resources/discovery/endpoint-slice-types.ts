import { bool, field, int32, listOf, mapOf, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { ObjectReference } from '../core/reference-types.ts';

export const addressTypes = ['FQDN', 'IPv4', 'IPv6'];

export const EndpointSlice = struct('discovery/v1.EndpointSlice', () => ({
  metadata: field(1, ObjectMeta),
  addressType: field(4, namedString('discovery/v1.AddressType'), {
    required: true,
    always: true,
    enum: addressTypes,
  }),
  endpoints: field(2, listOf(Endpoint), { always: true, list: 'atomic' }),
  ports: field(3, listOf(EndpointPort), { always: true, list: 'atomic' }),
}));

export type EndpointSlice = ObjectOf<typeof EndpointSlice>;

export const Endpoint = struct('discovery/v1.Endpoint', () => ({
  addresses: field(1, listOf(string), { required: true, always: true, list: 'set' }),
  conditions: field(2, EndpointConditions),
  hostname: field(3, string, { pointer: true }),
  targetRef: field(4, ObjectReference, { pointer: true }),
  deprecatedTopology: field(5, mapOf(string)),
  nodeName: field(6, string, { pointer: true }),
  zone: field(7, string, { pointer: true }),
  hints: field(8, EndpointHints, { pointer: true }),
}));

export type Endpoint = TypeOf<typeof Endpoint>;

export const EndpointConditions = struct('discovery/v1.EndpointConditions', () => ({
  ready: field(1, bool, { pointer: true }),
  serving: field(2, bool, { pointer: true }),
  terminating: field(3, bool, { pointer: true }),
}));

export const EndpointHints = struct('discovery/v1.EndpointHints', () => ({
  forZones: field(1, listOf(ForZone), { list: 'atomic' }),
  forNodes: field(2, listOf(ForNode), { list: 'atomic' }),
}));

export const ForZone = struct('discovery/v1.ForZone', () => ({
  name: field(1, string, { required: true, always: true }),
}));

export type ForZone = TypeOf<typeof ForZone>;

export const ForNode = struct('discovery/v1.ForNode', () => ({
  name: field(1, string, { required: true, always: true }),
}));

export const EndpointPort = struct(
  'discovery/v1.EndpointPort',
  () => ({
    name: field(1, string, { pointer: true, defaulted: true }),
    protocol: field(2, namedString('core/v1.Protocol'), {
      pointer: true,
      defaulted: true,
      enum: ['SCTP', 'TCP', 'UDP'],
    }),
    port: field(3, int32, { pointer: true }),
    appProtocol: field(4, string, { pointer: true }),
  }),
  { atomic: true },
);

export type EndpointPort = TypeOf<typeof EndpointPort>;

export type ForNode = TypeOf<typeof ForNode>;
