import type { TypeTexts } from './type-texts.ts';

export const discoveryV1: TypeTexts = {
  Endpoint: {
    '': 'One backend of a service.',
    addresses: 'Addresses of the backend, 1 to 100, of the type of the slice. Consumers use the first one.',
    conditions: 'Whether it takes traffic.',
    hostname: 'Hostname of the backend, for DNS.',
    targetRef: 'The object behind it, mostly a pod.',
    deprecatedTopology: 'Only for slices from v1beta1. Use `nodeName` and `zone`.',
    nodeName: 'Node of the backend.',
    zone: 'Zone of the backend.',
    hints: 'Who should preferably use it.',
  },
  EndpointConditions: {
    '': 'The state of a backend.',
    ready: 'Whether it should get traffic. Absent means true. False while the pod is being deleted.',
    serving: 'Like `ready`, but also true for a pod that is being deleted and still answers.',
    terminating: 'Whether the pod is being deleted. Absent means false.',
  },
  EndpointHints: {
    '': 'Who should preferably use a backend.',
    forZones: 'Zones whose traffic should go to it. At most 8.',
    forNodes: 'Nodes whose traffic should go to it. At most 8.',
  },
  EndpointPort: {
    '': 'A port of all backends of a slice.',
    name: 'Name of the port in the service. Empty if the service has only one.',
    protocol: 'TCP, UDP or SCTP. Default TCP.',
    port: 'Number of the port. Absent: the consumer decides what that means.',
    appProtocol: 'Application protocol of the port, such as `http` or `kubernetes.io/h2c`.',
  },
  EndpointSlice: {
    '': 'Some of the backends of a service. A label names the service.',
    addressType: 'IPv4, IPv6 or FQDN. It cannot be changed.',
    endpoints: 'The backends, at most 1000.',
    ports: 'Ports that every backend of the slice has, at most 20000. Empty: none.',
  },
  ForNode: {
    '': 'A node that should use a backend.',
    name: 'Name of the node.',
  },
  ForZone: {
    '': 'A zone that should use a backend.',
    name: 'Name of the zone.',
  },
};
