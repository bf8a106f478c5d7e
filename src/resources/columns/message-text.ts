import { goPrint } from '../../meta/go-value.ts';
import type { Schema, StructSchema } from '../../schema/model.ts';
import { goTypeName } from '../../schema/normalize/go-type-name.ts';
import { internalName } from '../validation/internal-types.ts';

/** Formats a value as the `String` method does that Go's protobuf compiler generates for its type. */
export function messageText(schema: StructSchema, value: unknown): string {
  const own = (value ?? {}) as Values;
  const fields = schema.fields.map(
    (field) => `${internalName(schema.name, field.name)}:${fieldText(field.schema, own[field.name])},`,
  );
  return `${typeName(schema)}{${fields.join('')}}`;
}

type Values = Readonly<Record<string, unknown>>;

function fieldText(schema: Schema, value: unknown): string {
  switch (schema.type) {
    case 'struct':
      return messageText(schema, value);
    case 'map':
      return `map[string]${typeName(schema.values)}{${mapEntries(schema.values, (value ?? {}) as Values)}}`;
    case 'list': {
      const items = (value ?? []) as readonly unknown[];
      if (schema.items.type !== 'struct') return goPrint(items);
      return `[]${typeName(schema.items)}{${items.map((item) => `${fieldText(schema.items, item)},`).join('')}}`;
    }
    case 'scalar':
      return goPrint(value ?? '');
  }
}

function mapEntries(schema: Schema, values: Values): string {
  const keys = Object.keys(values).sort();
  return keys.map((key) => `${key}: ${fieldText(schema, values[key])},`).join('');
}

function typeName(schema: Schema): string {
  const name = goTypeName(schema);
  return name.slice(name.indexOf('.') + 1);
}
