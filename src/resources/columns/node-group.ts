import type { ResourceObject } from '../../meta/object.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { runtimeClassDefinitions } from './definitions/node.ts';

const runtimeClass: TableColumns = {
  definitions: runtimeClassDefinitions,
  cells(object, now) {
    const { metadata, handler } = object as ResourceObject & { handler?: string };
    return [metadata.name ?? '', handler ?? '', age(object, now)];
  },
};

export const nodeGroupColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['node.k8s.io/RuntimeClass', runtimeClass],
]);
