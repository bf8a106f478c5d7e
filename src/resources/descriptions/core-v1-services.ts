import type { TypeTexts } from './type-texts.ts';

/** Services and their endpoints. */
export const coreV1Services: TypeTexts = {
  ClientIPConfig: {
    '': 'Settings of session affinity by client address.',
    timeoutSeconds: 'Seconds that a client stays with its pod, 1 to 86400. Default 10800.',
  },
  EndpointAddress: {
    '': 'An address behind a service.',
    ip: 'The address. Not loopback, link-local or multicast.',
    hostname: 'Hostname of the address, for DNS.',
    nodeName: 'Node of the address.',
    targetRef: 'The object behind the address, mostly a pod.',
  },
  EndpointPort: {
    '': 'A port of the addresses behind a service.',
    name: 'Name of the port in the service. Required if there are several.',
    port: 'Number of the port.',
    protocol: 'TCP, UDP or SCTP. Default TCP.',
    appProtocol: 'Application protocol of the port, such as `http` or `kubernetes.io/h2c`.',
  },
  EndpointSubset: {
    '': 'Addresses with the same ports. Every address is combined with every port.',
    addresses: 'Addresses that are ready.',
    notReadyAddresses: 'Addresses that are not ready and get no traffic.',
    ports: 'The ports.',
  },
  Endpoints: {
    '': 'The addresses behind a service of the same name. Deprecated; use EndpointSlices.',
    subsets: 'All addresses, grouped by the ports they have.',
  },
  LoadBalancerIngress: {
    '': 'An address of a load balancer.',
    ip: 'IP address, if it is reached by one.',
    hostname: 'Hostname, if it is reached by one.',
    ipMode:
      'VIP: traffic arrives with this address as its destination. Proxy: with that of the node or pod. Only with ' +
      '`ip`. Default VIP.',
    ports: 'State of each port.',
  },
  LoadBalancerStatus: {
    '': 'The state of a load balancer.',
    ingress: 'Addresses at which traffic is accepted.',
  },
  PortStatus: {
    '': 'State of a port of a load balancer.',
    port: 'Number of the port.',
    protocol: 'TCP, UDP or SCTP.',
    error: 'What is wrong with the port, as a CamelCase word, with a domain before it if a provider defines it.',
  },
  Service: {
    '': 'A stable address and name for a set of pods.',
    spec: 'Which pods, and how they are reached.',
    status: 'State of the load balancer.',
  },
  ServicePort: {
    '': 'A port of a service.',
    name: 'Name of the port, unique in the service. Required if there are several.',
    protocol: 'TCP, UDP or SCTP. Default TCP.',
    appProtocol: 'Application protocol of the port, such as `http` or `kubernetes.io/h2c`.',
    port: 'Number of the port of the service.',
    targetPort: 'Number or name of the port of the pods. Default: `port`. Ignored for headless services.',
    nodePort: 'Port on every node, for NodePort and LoadBalancer. Default: a free one is chosen.',
  },
  ServiceProxyOptions: {
    '': 'Options of a request that is passed on to a service.',
    path: 'Path and query of the request to the service.',
  },
  ServiceSpec: {
    '': 'Which pods a service routes to, and how.',
    ports: 'Ports of the service.',
    selector: 'Labels of the pods. Without it the endpoints are managed by someone else. Ignored for ExternalName.',
    clusterIP:
      'Address of the service. `None` makes it headless: its name resolves to the addresses of the pods. Default: a ' +
      'free one is chosen.',
    clusterIPs: 'All addresses, at most one per IP family. The first one equals `clusterIP`.',
    type:
      'ClusterIP (within the cluster), NodePort (also a port on every node), LoadBalancer (also a load balancer) or ' +
      'ExternalName (an alias). Default ClusterIP.',
    externalIPs:
      'Further addresses for which nodes accept traffic. Routing that traffic to the nodes is up to the ' +
      'administrator.',
    sessionAffinity: 'ClientIP sends a client to the same pod each time, None does not. Default None.',
    loadBalancerIP: 'Deprecated. Wanted address of the load balancer, where the provider supports it.',
    loadBalancerSourceRanges:
      'Address ranges of the clients that the load balancer admits, where the provider supports it.',
    externalName: 'DNS name that the service is an alias for. Only with type ExternalName.',
    externalTrafficPolicy:
      'Local keeps traffic from outside on the node it arrives at and preserves the client address, Cluster spreads ' +
      'it. Default Cluster.',
    healthCheckNodePort:
      'Port on which nodes say whether they have pods of the service. Only for LoadBalancer with external policy ' +
      'Local.',
    publishNotReadyAddresses:
      'Treat all pods as ready, for instance to let them find each other while they start. Default false.',
    sessionAffinityConfig: 'Settings of the session affinity.',
    ipFamilies:
      'IP families of the service, IPv4 or IPv6, the primary one first. Default: by the policy and what the cluster ' +
      'has.',
    ipFamilyPolicy:
      'SingleStack, PreferDualStack (two families if the cluster has them) or RequireDualStack. Default SingleStack.',
    allocateLoadBalancerNodePorts: 'Whether a LoadBalancer also gets node ports. Default true.',
    loadBalancerClass:
      'The load balancer implementation to use. Default: that of the cloud provider. It cannot be changed.',
    internalTrafficPolicy:
      'Local keeps traffic from pods on their node and drops it if no pod is there, Cluster spreads it. Default ' +
      'Cluster.',
    trafficDistribution:
      'Preference for endpoints: PreferSameZone, PreferSameNode, or PreferClose, the old name of PreferSameZone.',
  },
  ServiceStatus: {
    '': 'The state of a service.',
    loadBalancer: 'State of the load balancer.',
    conditions: 'Conditions that describe the state.',
  },
  SessionAffinityConfig: {
    '': 'Settings of session affinity.',
    clientIP: 'Settings for affinity by client address.',
  },
};
