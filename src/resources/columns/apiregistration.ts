import type { TableColumns } from '../../meta/table-columns.ts';
import type { APIService } from '../apiregistration/api-service-types.ts';
import { age } from './ages.ts';
import { apiServiceDefinitions } from './definitions/apiregistration.ts';

const apiService: TableColumns = {
  definitions: apiServiceDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as APIService;
    const service = spec?.service;
    return [
      metadata.name ?? '',
      service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
      availableText(object),
      age(object, now),
    ];
  },
};

function availableText({ status }: APIService): string {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  if (available.status === 'True' || !available.reason) return available.status ?? '';
  return `${available.status ?? ''} (${available.reason})`;
}

export const apiregistrationColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['apiregistration.k8s.io/APIService', apiService],
]);
