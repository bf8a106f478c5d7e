import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { apiServiceDefinitions } from './definitions/apiregistration.ts';

interface ApiService extends ResourceObject {
  readonly spec?: { readonly service?: { readonly namespace?: string; readonly name?: string } };
  readonly status?: {
    readonly conditions?: readonly { readonly type?: string; readonly status?: string; readonly reason?: string }[];
  };
}

const apiService: TableColumns = {
  definitions: apiServiceDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ApiService;
    const service = spec?.service;
    return [
      metadata.name ?? '',
      service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
      availableText(object),
      age(object, now),
    ];
  },
};

function availableText({ status }: ApiService): string {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  if (available.status === 'True' || !available.reason) return available.status ?? '';
  return `${available.status ?? ''} (${available.reason})`;
}

export const apiregistrationColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['apiregistration.k8s.io/APIService', apiService],
]);
