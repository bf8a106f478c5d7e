import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { endpointSliceDefinitions } from './definitions/discovery.ts';
import { shortenedList } from './shortened-list.ts';

interface EndpointSlice extends ResourceObject {
  readonly addressType?: string;
  readonly ports?: readonly { readonly port?: number; readonly name?: string }[] | null;
  readonly endpoints?: readonly { readonly addresses?: readonly string[] | null }[] | null;
}

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
