import type { TableColumns } from '../../meta/table-columns.ts';
import type { Service, ServicePort } from '../core/service-types.ts';
import { age } from './ages.ts';
import { serviceDefinitions } from './definitions/core.ts';
import { labelsText } from './label-texts.ts';
import { loadBalancerText } from './load-balancer-text.ts';

export const serviceColumns: TableColumns = {
  definitions: serviceDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as Service;
    return [
      metadata.name ?? '',
      spec?.type ?? '',
      spec?.clusterIPs?.[0] ?? '<none>',
      externalText(object),
      (spec?.ports ?? []).map(portText).join(',') || '<none>',
      age(object, now),
      labelsText(spec?.selector),
    ];
  },
};

function externalText({ spec, status }: Service): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer': {
      const balanced = loadBalancerText(status?.loadBalancer);
      return [...(balanced === '' ? [] : [balanced]), ...external].join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function portText({ port = 0, nodePort = 0, protocol = '' }: ServicePort): string {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}
