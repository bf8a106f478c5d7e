import { field, int32, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { ObjectReference } from './reference-types.ts';

export const Endpoints = struct('core/v1.Endpoints', () => ({
  metadata: field(1, ObjectMeta),
  subsets: field(2, listOf(EndpointSubset), { list: 'atomic' }),
}));

export type Endpoints = ObjectOf<typeof Endpoints>;

export const EndpointSubset = struct('core/v1.EndpointSubset', () => ({
  addresses: field(1, listOf(EndpointAddress), { list: 'atomic' }),
  notReadyAddresses: field(2, listOf(EndpointAddress), { list: 'atomic' }),
  ports: field(3, listOf(EndpointPort), { list: 'atomic' }),
}));

export type EndpointSubset = TypeOf<typeof EndpointSubset>;

export const EndpointAddress = struct(
  'core/v1.EndpointAddress',
  () => ({
    ip: field(1, string, { required: true, always: true }),
    hostname: field(3, string),
    nodeName: field(4, string, { pointer: true }),
    targetRef: field(2, ObjectReference, { pointer: true }),
  }),
  { atomic: true },
);

export type EndpointAddress = TypeOf<typeof EndpointAddress>;

export const EndpointPort = struct(
  'core/v1.EndpointPort',
  () => ({
    name: field(1, string),
    port: field(2, int32, { required: true, always: true }),
    protocol: field(3, namedString('core/v1.Protocol'), { enum: ['TCP', 'UDP', 'SCTP'], defaulted: true }),
    appProtocol: field(4, string, { pointer: true }),
  }),
  { atomic: true },
);

export type EndpointPort = TypeOf<typeof EndpointPort>;
