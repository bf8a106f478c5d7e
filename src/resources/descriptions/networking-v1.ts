import type { TypeTexts } from './type-texts.ts';

export const networkingV1: TypeTexts = {
  HTTPIngressPath: {
    '': 'Leads requests for a path to a backend.',
    path: 'The path, beginning with `/`. Required for Exact and Prefix.',
    pathType:
      'Exact compares the whole path, Prefix compares element by element, ImplementationSpecific leaves it to the ' +
      'ingress class.',
    backend: 'Where the requests go.',
  },
  HTTPIngressRuleValue: {
    '': 'The paths of a host.',
    paths: 'The paths, at least one.',
  },
  IPAddress: {
    '': 'An address that is taken, mostly by a service. Its name is the address.',
    spec: 'Who has the address.',
  },
  IPAddressSpec: {
    '': 'Who has an address.',
    parentRef: 'The object that the address belongs to.',
  },
  IPBlock: {
    '': 'A range of addresses.',
    cidr: 'The range, such as `192.168.0.0/16`.',
    except: 'Ranges within it that do not belong to it.',
  },
  Ingress: {
    '': 'Leads HTTP requests from outside to services, by host and path.',
    spec: 'Hosts, paths and their backends.',
    status: 'Where the ingress can be reached.',
  },
  IngressBackend: {
    '': 'Where requests go. Exactly one field is set.',
    service: 'A service in the namespace of the ingress.',
    resource: 'Another object in the namespace of the ingress.',
  },
  IngressClass: {
    '': 'A kind of ingress, and the controller that implements it. An annotation can make it the default.',
    spec: 'The controller and its parameters.',
  },
  IngressClassParametersReference: {
    '': 'An object with parameters of an ingress class.',
    apiGroup: 'API group of the object. Absent for the core group.',
    kind: 'Kind of the object.',
    name: 'Name of the object.',
    scope: 'Cluster or Namespace. Default Cluster.',
    namespace: 'Namespace of the object. Required with scope Namespace, else not allowed.',
  },
  IngressClassSpec: {
    '': 'The controller of an ingress class.',
    controller: 'Name of the controller, as a path with a domain such as `example.com/ingress`. It cannot be changed.',
    parameters: 'An object with further settings for the controller.',
  },
  IngressLoadBalancerIngress: {
    '': 'An address of a load balancer.',
    ip: 'IP address, if it is reached by one.',
    hostname: 'Hostname, if it is reached by one.',
    ports: 'State of each port.',
  },
  IngressLoadBalancerStatus: {
    '': 'The state of a load balancer.',
    ingress: 'Addresses at which traffic is accepted.',
  },
  IngressPortStatus: {
    '': 'State of a port of a load balancer.',
    port: 'Number of the port.',
    protocol: 'TCP, UDP or SCTP.',
    error: 'What is wrong with the port, as a CamelCase word, with a domain before it if a provider defines it.',
  },
  IngressRule: {
    '': 'What happens to requests for a host.',
    host: 'The host without port. `*.` as its first label matches any one label. Absent: all hosts.',
  },
  IngressRuleValue: {
    '': 'What happens to matching requests.',
    http: 'The paths and their backends. Absent: everything goes to the default backend.',
  },
  IngressServiceBackend: {
    '': 'A service as backend.',
    name: 'Name of the service.',
    port: 'Port of the service.',
  },
  IngressSpec: {
    '': 'Hosts, paths and their backends.',
    ingressClassName: 'The IngressClass that implements it. Default: the default class, if there is one.',
    defaultBackend: 'Where requests go that match no rule. Required if there are no rules.',
    tls: 'Certificates by host. TLS is on port 443; the host is taken from the TLS handshake.',
    rules: 'Rules by host.',
  },
  IngressStatus: {
    '': 'The state of an ingress.',
    loadBalancer: 'State of the load balancer.',
  },
  IngressTLS: {
    '': 'The certificate for some hosts.',
    hosts: 'Hosts in the certificate. Default: all that the controller serves for this ingress.',
    secretName: 'Secret with certificate and key. Absent: TLS by the controller, chosen by host alone.',
  },
  NetworkPolicy: {
    '': 'Which traffic pods may have. Pods that a policy selects have only what some policy allows.',
    spec: 'The pods and the allowed traffic.',
  },
  NetworkPolicyEgressRule: {
    '': 'Outgoing traffic that is allowed. Ports and peers must both match.',
    ports: 'Allowed ports. Empty: all.',
    to: 'Allowed destinations. Empty: all.',
  },
  NetworkPolicyIngressRule: {
    '': 'Incoming traffic that is allowed. Ports and peers must both match.',
    ports: 'Allowed ports of the selected pods. Empty: all.',
    from: 'Allowed sources. Empty: all.',
  },
  NetworkPolicyPeer: {
    '': 'Sources or destinations of traffic. An IP block excludes the selectors.',
    podSelector: 'Pods, of the namespaces of `namespaceSelector` or else of the namespace of the policy. Empty: all.',
    namespaceSelector: 'Namespaces, by label. Empty: all. Without `podSelector` all their pods match.',
    ipBlock: 'A range of addresses.',
  },
  NetworkPolicyPort: {
    '': 'Ports that are allowed.',
    protocol: 'TCP, UDP or SCTP. Default TCP.',
    port: 'Number or name of the port. Absent: all ports.',
    endPort: 'Allow the ports from `port`, which is then a number, up to this one.',
  },
  NetworkPolicySpec: {
    '': 'The pods and the allowed traffic.',
    podSelector: 'Pods that the policy applies to, in its namespace. Empty: all.',
    ingress: 'Allowed incoming traffic. The traffic must match one rule. Empty: nothing is allowed in.',
    egress:
      'Allowed outgoing traffic. The traffic must match one rule. Empty: nothing is allowed out, if the policy ' +
      'covers Egress.',
    policyTypes:
      'Which directions the policy covers: Ingress, Egress. Default: Ingress, and Egress if there are egress rules.',
  },
  ParentReference: {
    '': 'Names the object that an address belongs to.',
    group: 'API group of the object.',
    resource: 'Plural name of its resource.',
    namespace: 'Namespace of the object.',
    name: 'Name of the object.',
  },
  ServiceBackendPort: {
    '': 'A port of a service, by name or by number.',
    name: 'Name of the port.',
    number: 'Number of the port.',
  },
  ServiceCIDR: {
    '': 'Address ranges from which services get their cluster IPs.',
    spec: 'The ranges.',
    status: 'Whether they are in use.',
  },
  ServiceCIDRSpec: {
    '': 'Address ranges for services.',
    cidrs: 'One range, or one of each IP family. A second family can be added later; nothing else can be changed.',
  },
  ServiceCIDRStatus: {
    '': 'The state of address ranges.',
    conditions: 'Conditions that describe the state. Ready says whether addresses are taken from the ranges.',
  },
};
