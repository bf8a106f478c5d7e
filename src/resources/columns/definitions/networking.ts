import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const ingressDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Class', 'The name of the IngressClass resource that should be used for additional configuration'),
  column('Hosts', 'Hosts that incoming requests are matched against before the ingress rule'),
  column('Address', 'Address is a list containing ingress points for the load-balancer'),
  column('Ports', 'Ports of TLS configurations that open'),
  ageColumn,
];

export const ingressClassDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Controller', 'Controller that is responsible for handling this class'),
  column('Parameters', 'A reference to a resource with additional parameters'),
  ageColumn,
];

export const networkPolicyDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Pod-Selector',
    'podSelector selects the pods to which this NetworkPolicy object applies. The array of rules is ' +
      "applied to any pods selected by this field. An empty selector matches all pods in the policy's " +
      'namespace. Multiple network policies can select the same set of pods. In this case, the ingress ' +
      'rules for each are combined additively. This field is optional. If it is not specified, it ' +
      'defaults to an empty selector.',
  ),
  ageColumn,
];

export const ipAddressDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'ParentRef',
    'ParentRef references the resource that an IPAddress is attached to. An IPAddress must reference a ' +
      'parent object.',
  ),
];

export const serviceCidrDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'CIDRs',
    'CIDRs defines the IP blocks in CIDR notation (e.g. "192.168.0.0/24" or "2001:db8::/64") from ' +
      'which to assign service cluster IPs. Max of two CIDRs is allowed, one of each IP family. This ' +
      'field is immutable.',
  ),
  ageColumn,
];
