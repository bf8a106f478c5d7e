import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { LabelSelector } from '../../schema/meta-types.ts';
import type { IngressClass } from '../networking/ingress-class-types.ts';
import type { Ingress } from '../networking/ingress-types.ts';
import type { IPAddress } from '../networking/service-address-types.ts';
import { age } from './ages.ts';
import {
  ingressClassDefinitions,
  ingressDefinitions,
  ipAddressDefinitions,
  networkPolicyDefinitions,
  serviceCidrDefinitions,
} from './definitions/networking.ts';
import { selectorText } from './label-texts.ts';
import { loadBalancerText } from './load-balancer-text.ts';

const ingress: TableColumns = {
  definitions: ingressDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as Ingress;
    return [
      metadata.name ?? '',
      spec?.ingressClassName ?? '<none>',
      hostsText(object),
      loadBalancerText(status?.loadBalancer),
      spec?.tls?.length ? '80, 443' : '80',
      age(object, now),
    ];
  },
};

/** Shows three hosts. All remaining rules count as more, even those without a host. */
function hostsText({ spec }: Ingress): string {
  const maxItems = 3;
  const rules = spec?.rules ?? [];
  const hosts: string[] = [];
  for (const { host } of rules) {
    if (hosts.length === maxItems) return `${hosts.join(',')} + ${rules.length - maxItems} more...`;
    if (host) hosts.push(host);
  }
  return hosts.join(',') || '*';
}

const ingressClass: TableColumns = {
  definitions: ingressClassDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as IngressClass;
    const isDefault = metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
    const name = `${metadata.name ?? ''}${isDefault ? ' (default)' : ''}`;
    return [name, spec?.controller ?? '', parametersText(object), age(object, now)];
  },
};

function parametersText({ spec }: IngressClass): string {
  if (spec?.parameters === undefined) return '<none>';
  const { apiGroup, kind = '', name = '' } = spec.parameters;
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}

const networkPolicy: TableColumns = {
  definitions: networkPolicyDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ResourceObject & { spec?: { podSelector?: LabelSelector } };
    return [metadata.name ?? '', selectorText(spec?.podSelector), age(object, now)];
  },
};

const ipAddress: TableColumns = {
  definitions: ipAddressDefinitions,
  // kube-apiserver returns the age as a third cell, although there is no column for it.
  cells: (object, now) => [object.metadata.name ?? '', parentText(object), age(object, now)],
};

function parentText({ spec }: IPAddress): string {
  if (spec?.parentRef === undefined) return '<none>';
  const { group, resource = '', namespace, name = '' } = spec.parentRef;
  const type = (group ? `${resource}.${group}` : resource).toLowerCase();
  return [type, ...(namespace ? [namespace] : []), name].join('/');
}

const serviceCidr: TableColumns = {
  definitions: serviceCidrDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ResourceObject & { spec?: { cidrs?: readonly string[] } };
    return [metadata.name ?? '', spec?.cidrs?.join(',') ?? '', age(object, now)];
  },
};

export const networkingColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['networking.k8s.io/Ingress', ingress],
  ['networking.k8s.io/IngressClass', ingressClass],
  ['networking.k8s.io/NetworkPolicy', networkPolicy],
  ['networking.k8s.io/IPAddress', ipAddress],
  ['networking.k8s.io/ServiceCIDR', serviceCidr],
]);
