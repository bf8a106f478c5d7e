import type { Schema, StructSchema } from '../model.ts';

/** Returns the name that Go's JSON decoder prints for a type: `int64`, `[]v1.Container`, `map[string]string`. */
export function goTypeName(schema: Schema): string {
  switch (schema.type) {
    case 'struct':
      return qualified(schema.name);
    case 'list':
      return schema.name === undefined ? `[]${goTypeName(schema.items)}` : qualified(schema.name);
    case 'map':
      // In the core types, every map of quantities is a ResourceList.
      return isQuantity(schema.values) ? 'v1.ResourceList' : `map[string]${goTypeName(schema.values)}`;
    case 'scalar':
      return schema.name === undefined ? (scalarNames[schema.kind] ?? schema.kind) : qualified(schema.name);
  }
}

/** Returns `PodSpec` for `core/v1.PodSpec`. */
export function goStructName({ name }: StructSchema): string {
  return name.slice(name.indexOf('.') + 1);
}

const scalarNames: Readonly<Record<string, string>> = {
  bytes: '[]uint8',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  rawExtension: 'runtime.RawExtension',
  fieldsV1: 'v1.FieldsV1',
  json: 'v1.JSON',
};

const isQuantity = (schema: Schema): boolean => schema.type === 'scalar' && schema.kind === 'quantity';

/** Returns `v1.PodSpec` for `core/v1.PodSpec`: Go names a package by the last segment of its path. */
function qualified(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}
