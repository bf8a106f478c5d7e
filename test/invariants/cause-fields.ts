import type { Schema, StructSchema } from '../../src/schema/model.ts';
import { isObject, type Json } from './json.ts';
import { innerSchema } from './places.ts';

type Step = { readonly name: string } | { readonly key: string };

/**
 * Parses a field such as `spec.ports[0].name` or `data[a.key]`. A key may contain any characters, so its closing
 * bracket is the first one before a `.`, a `[` or the end.
 */
function stepsOf(field: string): Step[] {
  const steps: Step[] = [];
  const pattern = /(?:^|\.)([^.[\]]+)|\[(.*?)\](?=$|\.|\[)/gsy;
  while (pattern.lastIndex < field.length) {
    const match = pattern.exec(field);
    if (match === null) return [{ name: field }];
    steps.push(match[1] === undefined ? { key: match[2]! } : { name: match[1] });
  }
  return steps;
}

/** Returns why the field of a cause cannot exist in the sent object, or undefined if it can. */
export function fieldProblem(field: string, kind: StructSchema, sent: Json): string | undefined {
  let schema: Schema = kind;
  let value: Json | undefined = sent;
  for (const step of stepsOf(field)) {
    if ('name' in step) {
      if (schema === kind && ['kind', 'apiVersion'].includes(step.name)) return undefined;
      if (isOpen(schema)) return undefined;
      const inner: Schema | undefined = schema.type === 'struct' ? innerSchema(schema, step.name) : undefined;
      if (inner === undefined) return `${field}: ${describe(schema)} has no ${step.name}`;
      schema = inner;
      value = isObject(value) ? value[step.name] : undefined;
      continue;
    }
    if (isOpen(schema)) return undefined;
    if (schema.type === 'list') {
      if (!/^\d+$/.test(step.key)) return `${field}: ${step.key} is no index`;
      const length = Array.isArray(value) ? value.length : 0;
      if (Number(step.key) >= length) return `${field}: only ${length} items`;
      value = (value as Json[])[Number(step.key)];
      schema = schema.items;
    } else if (schema.type === 'map') {
      if (!isObject(value) || !Object.hasOwn(value, step.key)) return `${field}: no key ${step.key}`;
      value = value[step.key];
      schema = schema.values;
    } else {
      return `${field}: ${describe(schema)} has no elements`;
    }
  }
  return undefined;
}

/** Whether the schema accepts any JSON. */
function isOpen(schema: Schema): boolean {
  if (schema.type === 'scalar') return ['json', 'rawExtension', 'fieldsV1'].includes(schema.kind);
  return schema.type === 'struct' && schema.untagged === true;
}

function describe(schema: Schema): string {
  return schema.type === 'struct' ? schema.name : schema.type === 'scalar' ? schema.kind : schema.type;
}
