import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { serviceDefinitions } from './definitions/core.ts';
import { labelsText } from './label-texts.ts';
import { type LoadBalancer, loadBalancerText } from './load-balancer-text.ts';

interface Service extends ResourceObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly ports?: readonly ServicePort[];
    readonly selector?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly loadBalancer?: LoadBalancer };
}

interface ServicePort {
  readonly port?: number;
  readonly nodePort?: number;
  readonly protocol?: string;
}

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
