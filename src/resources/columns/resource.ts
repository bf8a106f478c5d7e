import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { resourceClaimDefinitions, resourceSliceDefinitions } from './definitions/resource.ts';
import { nameAndAge } from './name-and-age.ts';

interface ResourceClaim extends ResourceObject {
  readonly status?: { readonly allocation?: object; readonly reservedFor?: readonly unknown[] };
}

const resourceClaim: TableColumns = {
  definitions: resourceClaimDefinitions,
  cells: (object, now) => [object.metadata.name ?? '', stateText(object), age(object, now)],
};

function stateText({ metadata, status }: ResourceClaim): string {
  const isDeleted = Boolean(metadata.deletionTimestamp);
  const states = isDeleted ? ['deleted'] : [];
  if (status?.allocation === undefined) {
    if (!isDeleted) states.push('pending');
  } else {
    states.push('allocated');
    if (status.reservedFor?.length) states.push('reserved');
  }
  return states.join(',');
}

interface ResourceSlice extends ResourceObject {
  readonly spec?: { readonly nodeName?: string; readonly driver?: string; readonly pool?: { readonly name?: string } };
}

const resourceSlice: TableColumns = {
  definitions: resourceSliceDefinitions,
  cells(object, now) {
    const { metadata, spec } = object as ResourceSlice;
    return [metadata.name ?? '', spec?.nodeName ?? '', spec?.driver ?? '', spec?.pool?.name ?? '', age(object, now)];
  },
};

export const resourceColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['resource.k8s.io/ResourceClaim', resourceClaim],
  ['resource.k8s.io/ResourceSlice', resourceSlice],
  ['resource.k8s.io/ResourceClaimTemplate', nameAndAge],
  ['resource.k8s.io/DeviceClass', nameAndAge],
]);
