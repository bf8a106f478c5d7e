import type { TableColumns } from '../../meta/table-columns.ts';
import type { EndpointSlice } from '../discovery/endpoint-slice-types.ts';
import { age } from './ages.ts';
import { endpointSliceDefinitions } from './definitions/discovery.ts';
import { shortenedList } from './shortened-list.ts';

const endpointSlice: TableColumns = {
  definitions: endpointSliceDefinitions,
  cells(object, now) {
    const { metadata, addressType, ports, endpoints } = object as EndpointSlice;
    const portTexts = (ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'));
    const addresses = (endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [
      metadata.name ?? '',
      addressType ?? '',
      shortenedList(portTexts, 3) || '<unset>',
      shortenedList(addresses, 3) || '<unset>',
      age(object, now),
    ];
  },
};

export const discoveryColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['discovery.k8s.io/EndpointSlice', endpointSlice],
]);
