import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const ingressDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Class', 'The IngressClass.'),
  column('Hosts', 'Hosts whose requests it handles.'),
  column('Address', 'Addresses of the load balancer.'),
  column('Ports', 'Ports that are open: 80, and 443 if there is TLS.'),
  ageColumn,
];

export const ingressClassDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Controller', 'The controller that implements the class.'),
  column('Parameters', 'An object with further settings.'),
  ageColumn,
];

export const networkPolicyDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Pod-Selector', 'Labels of the pods that the policy applies to.'),
  ageColumn,
];

export const ipAddressDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('ParentRef', 'The object that the address belongs to.'),
];

export const serviceCidrDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('CIDRs', 'Address ranges for services.'),
  ageColumn,
];
