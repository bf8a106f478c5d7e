import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import type { ComponentStatus } from '../core/component-status-types.ts';
import type { Endpoints } from '../core/endpoints-types.ts';
import type { PodTemplateSpec } from '../core/pod-types.ts';
import type { ResourceQuota } from '../core/quota-types.ts';
import { age } from './ages.ts';
import {
  componentStatusDefinitions,
  configMapDefinitions,
  endpointsDefinitions,
  namespaceDefinitions,
  podTemplateDefinitions,
  replicationControllerDefinitions,
  resourceQuotaDefinitions,
  secretDefinitions,
} from './definitions/core.ts';
import { eventColumns } from './event.ts';
import { labelsText } from './label-texts.ts';
import { nameAndAge } from './name-and-age.ts';
import { nodeColumns } from './node.ts';
import { podColumns } from './pod.ts';
import { containerCells, replicatedCells } from './pod-template-cells.ts';
import { serviceColumns } from './service.ts';
import { shortenedList } from './shortened-list.ts';
import { persistentVolumeClaimColumns, persistentVolumeColumns } from './volume.ts';

const configMap: TableColumns = {
  definitions: configMapDefinitions,
  cells(object, now) {
    const { metadata, data, binaryData } = object;
    return [metadata.name ?? '', size(data) + size(binaryData), age(object, now)];
  },
};

const secret: TableColumns = {
  definitions: secretDefinitions,
  cells(object, now) {
    const { metadata, type, data } = object as ResourceObject & { type?: string };
    return [metadata.name ?? '', type ?? '', size(data), age(object, now)];
  },
};

function size(map: unknown): number {
  return Object.keys(map ?? {}).length;
}

const namespace: TableColumns = {
  definitions: namespaceDefinitions,
  cells(object, now) {
    const { metadata, status } = object as ResourceObject & { status?: { phase?: string } };
    return [metadata.name ?? '', status?.phase ?? '', age(object, now)];
  },
};

const replicationController: TableColumns = {
  definitions: replicationControllerDefinitions,
  cells(object, now) {
    const { selector } = (object.spec ?? {}) as { selector?: Readonly<Record<string, string>> };
    return [...replicatedCells(object, now), labelsText(selector)];
  },
};

const podTemplate: TableColumns = {
  definitions: podTemplateDefinitions,
  cells(object) {
    const { metadata, template } = object as ResourceObject & { template?: PodTemplateSpec };
    return [metadata.name ?? '', ...containerCells(template), labelsText(template?.metadata?.labels)];
  },
};

const endpoints: TableColumns = {
  definitions: endpointsDefinitions,
  cells: (object, now) => [object.metadata.name ?? '', endpointsText(object), age(object, now)],
};

function endpointsText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>';
  const texts = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const ips = addresses.map(({ ip = '' }) => ip);
    // The endpoints of a headless service may have no ports.
    if (ports.length === 0) return ips;
    return ports.flatMap(({ port = 0 }) => ips.map((ip) => addressWithPort(ip, port)));
  });
  return shortenedList(texts, 3);
}

function addressWithPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

const resourceQuota: TableColumns = {
  definitions: resourceQuotaDefinitions,
  cells(object, now) {
    const { metadata, status } = object as ResourceQuota;
    const requests: string[] = [];
    const limits: string[] = [];
    for (const name of Object.keys(status?.hard ?? {}).sort()) {
      const text = `${name}: ${status?.used?.[name] ?? '0'}/${status!.hard![name]}`;
      (name.startsWith('limits.') ? limits : requests).push(text);
    }
    return [metadata.name ?? '', requests.join(', '), limits.join(', '), age(object, now)];
  },
};

const componentStatus: TableColumns = {
  definitions: componentStatusDefinitions,
  cells(object) {
    const { metadata, conditions } = object as ComponentStatus;
    const healthy = conditions?.find(({ type }) => type === 'Healthy');
    const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [metadata.name ?? '', status, healthy?.message ?? '', healthy?.error ?? ''];
  },
};

export const coreColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['/Pod', podColumns],
  ['/PodTemplate', podTemplate],
  ['/ReplicationController', replicationController],
  ['/Service', serviceColumns],
  ['/Endpoints', endpoints],
  ['/Node', nodeColumns],
  ['/Namespace', namespace],
  ['/ConfigMap', configMap],
  ['/Secret', secret],
  ['/ServiceAccount', nameAndAge],
  ['/PersistentVolume', persistentVolumeColumns],
  ['/PersistentVolumeClaim', persistentVolumeClaimColumns],
  ['/ResourceQuota', resourceQuota],
  ['/Event', eventColumns],
  ['/ComponentStatus', componentStatus],
]);
