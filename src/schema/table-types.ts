import { field, int32, json, listOf, rawExtension, string, struct } from './builders.ts';
import { ListMeta } from './meta-types.ts';

// Kubernetes defines no protobuf encoding for tables. The numbers follow the order of the fields in JSON.

export const Table = struct('meta/v1.Table', () => ({
  metadata: field(1, ListMeta),
  columnDefinitions: field(2, listOf(TableColumnDefinition), { required: true, always: true, list: 'atomic' }),
  rows: field(3, listOf(TableRow), { required: true, always: true, list: 'atomic' }),
}));

export const TableColumnDefinition = struct('meta/v1.TableColumnDefinition', () => ({
  name: field(1, string, { required: true, always: true }),
  type: field(2, string, { required: true, always: true }),
  format: field(3, string, { required: true, always: true }),
  description: field(4, string, { required: true, always: true }),
  priority: field(5, int32, { required: true, always: true }),
}));

/** The row's object is encoded as JSON, except in encodings that can state its type in another way. */
export const TableRow = struct('meta/v1.TableRow', () => ({
  cells: field(1, listOf(json), { required: true, always: true, list: 'atomic' }),
  conditions: field(2, listOf(TableRowCondition), { list: 'atomic' }),
  object: field(3, rawExtension),
}));

export const TableRowCondition = struct('meta/v1.TableRowCondition', () => ({
  type: field(1, string, { required: true, always: true }),
  status: field(2, string, { required: true, always: true }),
  reason: field(3, string),
  message: field(4, string),
}));
