import { useId } from 'preact/hooks';
import type { TypeSchema } from '../api/schema-loader.ts';
import { isObject } from '../document/path.ts';
import { isIntOrString, type Schema, type Schemas, typeName } from '../document/schema.ts';
import { Icon } from '../shared/icon.tsx';

export interface SchemaFormProps {
  readonly type: TypeSchema;
  readonly value: Record<string, unknown>;
  readonly onChange: (value: Record<string, unknown>) => void;
}

/** Input fields for everything that a schema describes. Empty fields are omitted from the object. */
export function SchemaForm({ type, value, onChange }: SchemaFormProps) {
  const root = type.schemas.resolve(type.schema);
  const names = Object.keys(root?.properties ?? {}).filter(
    (name) => !['apiVersion', 'kind', 'metadata', 'status'].includes(name),
  );
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const text = { type: 'string' };
  return (
    <form class="schema-form" onSubmit={(event) => event.preventDefault()}>
      <section class="card">
        <h2>Metadata</h2>
        {['name', ...('namespace' in metadata ? ['namespace'] : [])].map((name) => (
          <Field
            key={name}
            name={name}
            schema={text}
            schemas={type.schemas}
            isRequired
            value={metadata[name]}
            onChange={(changed) => onChange({ ...value, metadata: { ...metadata, [name]: changed } })}
          />
        ))}
        <Field
          name="labels"
          schema={{ type: 'object', additionalProperties: text }}
          schemas={type.schemas}
          value={metadata.labels}
          onChange={(changed) => onChange({ ...value, metadata: setAt(metadata, 'labels', changed) })}
        />
      </section>
      {names.map((name) => (
        <section key={name} class="card">
          <Field
            name={name}
            schema={root!.properties![name]!}
            schemas={type.schemas}
            isRequired={root!.required?.includes(name)}
            value={value[name]}
            onChange={(changed) => onChange(setAt(value, name, changed))}
            isOpen
          />
        </section>
      ))}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly schemas: Schemas;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly isRequired?: boolean | undefined;
  readonly isOpen?: boolean;
}

function Field(props: FieldProps) {
  const { name, schemas, value, onChange, isRequired = false } = props;
  const schema = schemas.resolve(props.schema);
  const description = props.schema.description ?? schema?.description ?? '';
  if (!schema) return null;
  if (schema.type === 'object' && schema.properties) return <ObjectField {...props} schema={schema} />;
  if (schema.type === 'object' && isObject(schema.additionalProperties)) return <MapField {...props} schema={schema} />;
  if (schema.type === 'array') return <ListField {...props} schema={schema} />;
  return (
    <Scalar
      name={name}
      schema={schema}
      description={description}
      isRequired={isRequired}
      value={value}
      onChange={onChange}
      typeText={typeName(schemas, schema)}
    />
  );
}

function Scalar(props: {
  name: string;
  schema: Schema;
  description: string;
  isRequired: boolean;
  value: unknown;
  typeText: string;
  onChange: (value: unknown) => void;
}) {
  const { name, schema, description, isRequired, value, typeText, onChange } = props;
  const id = useId();
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const read = (text: string) => {
    if (text === '') return undefined;
    // Text that is not a number yet stays text, so that the user can continue typing.
    if (isNumber || isIntOrString(schema)) return String(Number(text)) === text ? Number(text) : text;
    if (schema.type === 'boolean') return text === 'true';
    return schema.enum ? schema.enum.find((allowed) => String(allowed) === text) : text;
  };
  const options = schema.enum?.map(String) ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined);
  const shown =
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const common = { id, 'aria-describedby': `${id}-help` };
  return (
    <div class="form-field">
      <label for={id}>
        {name}
        {isRequired && <span class="required"> required</span>}
      </label>
      {options ? (
        <select {...common} value={shown} onChange={(event) => onChange(read(event.currentTarget.value))}>
          <option value="">{schema.default === undefined ? '' : `default: ${String(schema.default)}`}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          inputMode={isNumber ? 'decimal' : 'text'}
          value={shown}
          placeholder={schema.default === undefined ? typeText : `default: ${JSON.stringify(schema.default)}`}
          onInput={(event) => onChange(read(event.currentTarget.value))}
        />
      )}
      <p id={`${id}-help`} class="hint">
        {description}
      </p>
    </div>
  );
}

function Group(props: { name: string; description: string; isOpen: boolean; children: preact.ComponentChildren }) {
  return (
    <details class="form-group" open={props.isOpen}>
      <summary>{props.name}</summary>
      {props.description && <p class="hint">{props.description}</p>}
      <div class="form-fields">{props.children}</div>
    </details>
  );
}

function ObjectField({ name, schema, schemas, value, onChange, isOpen = false }: FieldProps) {
  const fields = isObject(value) ? value : {};
  const isUsed = Object.keys(fields).length > 0;
  return (
    <Group name={name} description={schema.description ?? ''} isOpen={isOpen || isUsed}>
      {/* Closed groups render no fields, because types can contain themselves. */}
      <Fields schema={schema} schemas={schemas} fields={fields} onChange={onChange} isShown={isOpen || isUsed} />
    </Group>
  );
}

function Fields(props: {
  schema: Schema;
  schemas: Schemas;
  fields: Record<string, unknown>;
  onChange: (value: unknown) => void;
  isShown: boolean;
}) {
  const { schema, schemas, fields, onChange, isShown } = props;
  if (!isShown) {
    return (
      <button type="button" class="button" onClick={() => onChange(Object.fromEntries(required(schema)))}>
        <Icon name="plus" />
        Add
      </button>
    );
  }
  const names = Object.keys(schema.properties ?? {});
  const isRequired = (name: string) => schema.required?.includes(name) ?? false;
  const ordered = [...names.filter(isRequired), ...names.filter((name) => !isRequired(name))];
  return (
    <>
      {ordered.map((name) => (
        <Field
          key={name}
          name={name}
          schema={schema.properties![name]!}
          schemas={schemas}
          isRequired={isRequired(name)}
          value={fields[name]}
          onChange={(changed) => onChange(setAt(fields, name, changed))}
        />
      ))}
    </>
  );
}

/** An object without fields would look as if it were omitted. */
function required(schema: Schema): [string, unknown][] {
  const [first = Object.keys(schema.properties ?? {})[0] ?? ''] = schema.required ?? [];
  return [[first, '']];
}

function MapField({ name, schema, schemas, value, onChange, isOpen = false }: FieldProps) {
  const entries = Object.entries(isObject(value) ? value : {});
  const replace = (index: number, key: string, inner: unknown) =>
    onChange(Object.fromEntries(entries.map((entry, position) => (position === index ? [key, inner] : entry))));
  return (
    <Group name={name} description={schema.description ?? ''} isOpen={isOpen || entries.length > 0}>
      {entries.map(([key, inner], index) => (
        <div key={index} class="form-entry">
          <input
            aria-label={`Key of ${name}`}
            value={key}
            onChange={(event) => replace(index, event.currentTarget.value, inner)}
          />
          <div>
            <Field
              name={key || 'value'}
              schema={schema.additionalProperties as Schema}
              schemas={schemas}
              value={inner}
              onChange={(changed) => replace(index, key, changed ?? '')}
            />
          </div>
          <Remove what={key} onClick={() => onChange(setAt(Object.fromEntries(entries), key, undefined))} />
        </div>
      ))}
      <button
        type="button"
        class="button"
        disabled={entries.some(([key]) => key === '')}
        onClick={() => onChange({ ...Object.fromEntries(entries), '': '' })}
      >
        <Icon name="plus" />
        Add
      </button>
    </Group>
  );
}

function ListField({ name, schema, schemas, value, onChange, isOpen = false }: FieldProps) {
  const items = Array.isArray(value) ? value : [];
  const set = (changed: readonly unknown[]) => onChange(changed.length === 0 ? undefined : changed);
  const own = schemas.resolve(schema.items);
  const empty = own?.type === 'object' ? Object.fromEntries(required(own)) : '';
  return (
    <Group name={name} description={schema.description ?? ''} isOpen={isOpen || items.length > 0}>
      {items.map((item, index) => (
        <div key={index} class="form-item">
          <Field
            name={`${name} ${index + 1}`}
            schema={schema.items ?? {}}
            schemas={schemas}
            value={item}
            onChange={(changed) => set(items.with(index, changed ?? ''))}
          />
          <Remove what={`${name} ${index + 1}`} onClick={() => set(items.toSpliced(index, 1))} />
        </div>
      ))}
      <button type="button" class="button" onClick={() => set([...items, empty])}>
        <Icon name="plus" />
        Add
      </button>
    </Group>
  );
}

function Remove({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" class="button-icon" aria-label={`Remove ${what}`} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}

/** A copy of an object with another field. Undefined removes it. */
function setAt(object: Readonly<Record<string, unknown>>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...others } = object;
  if (value === undefined) return others;
  // Replacing a field keeps the order of the fields.
  return { ...object, [name]: value };
}
