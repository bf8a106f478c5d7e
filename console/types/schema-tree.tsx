import { isObject } from '../document/path.ts';
import { type Schema, Schemas, typeName } from '../document/schema.ts';

/** Schemas of definitions have no references. */
const schemas = new Schemas({});
const hidden = ['apiVersion', 'kind', 'metadata'];

/** Shows the fields of a schema, read-only. */
export function SchemaTree({ schema, isRoot = true }: { schema: Schema; isRoot?: boolean }) {
  const names = Object.keys(schema.properties ?? {}).filter((name) => !isRoot || !hidden.includes(name));
  return (
    <ul class="schema-tree">
      {names.map((name) => {
        const field = schema.properties![name]!;
        const inner = innerOf(field);
        const title = (
          <>
            <code>{name}</code> <span class="muted">{typeName(schemas, field)}</span>
            {schema.required?.includes(name) && <span class="required"> required</span>}
            {field.enum && <span class="muted"> {field.enum.map((value) => JSON.stringify(value)).join(' | ')}</span>}
            {field.description && <span class="schema-description">{field.description}</span>}
          </>
        );
        return (
          <li key={name}>
            {inner ? (
              <details open={isRoot}>
                <summary>{title}</summary>
                <SchemaTree schema={inner} isRoot={false} />
              </details>
            ) : (
              title
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the object schema whose fields are shown as a further level. */
function innerOf(schema: Schema): Schema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return innerOf(schema.items);
  return isObject(schema.additionalProperties) ? innerOf(schema.additionalProperties as Schema) : undefined;
}
