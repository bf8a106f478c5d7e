import { expect } from 'vitest';
import type { TestApi } from './api.ts';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A type of which only the name matters. The definition is as small as possible. */
export const widgetDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

export interface CustomTypeOptions {
  /** In lower case. The plural is the singular with an `s`. */
  readonly singular: string;
  readonly group?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly names?: object;
  /** The names of the versions, or their fields. By default all versions are served and the first one is stored. */
  readonly versions?: readonly (string | ({ readonly name: string } & Readonly<Record<string, unknown>>))[];
  readonly conversion?: object;
}

/** A schema that accepts everything in spec and status. */
export const openSchema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
};

/** Returns the complete definition of a type. */
export function definitionOf(options: CustomTypeOptions) {
  const { singular, group = 'example.com', scope = 'Namespaced', names = {}, versions = ['v1'], conversion } = options;
  const plural = `${singular}s`;
  const kind = singular[0]!.toUpperCase() + singular.slice(1);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular, kind, listKind: `${kind}List`, ...names },
      versions: versions.map((version, index) => {
        const fields = typeof version === 'string' ? { name: version } : version;
        return { served: true, storage: index === 0, schema: openSchema, subresources: { status: {} }, ...fields };
      }),
      ...(conversion && { conversion }),
    },
  };
}

export type Definition = ReturnType<typeof definitionOf>;
type NamedDefinition = Pick<Definition, 'metadata'> & { readonly spec: object };

/** Creates the definition. Resolves at the first event that shows the condition. */
export async function define(api: TestApi, definition: NamedDefinition, condition = 'Established'): Promise<void> {
  const { status, body } = await api.post(definitions, definition);
  expect(status, body.message).toBe(200);
  await untilCondition(api, definition, { type: condition, status: 'True' });
}

/** Resolves at the first event that shows the definition with this condition. */
export async function untilCondition(
  api: TestApi,
  { metadata: { name } }: NamedDefinition,
  condition: { readonly type: string; readonly status: string; readonly reason?: string },
): Promise<void> {
  const watch = await api.watch(`${definitions}?watch=1&fieldSelector=metadata.name=${name}`);
  for (;;) {
    const event = await watch.next();
    if (event === undefined) throw new Error(`the watch of ${name} has ended`);
    const conditions: Record<string, string>[] = event.object.status?.conditions ?? [];
    const isWanted = (given: Record<string, string>) =>
      Object.entries(condition).every(([field, value]) => given[field] === value);
    if (conditions.some(isWanted)) break;
  }
  watch.close();
}

/** Returns the path of the collection of a definition's objects. It is namespaced unless the namespace is empty. */
export function pathOf({ spec }: Definition, { version = 'v1', namespace = 'default' } = {}): string {
  const place = namespace === '' || spec.scope === 'Cluster' ? '' : `/namespaces/${namespace}`;
  return `/apis/${spec.group}/${version}${place}/${spec.names.plural}`;
}

/** Returns an object of the type, as a client sends it. */
export function objectOf({ spec }: Definition, name: string, fields: object = {}, version = 'v1') {
  return { apiVersion: `${spec.group}/${version}`, kind: spec.names.kind, metadata: { name }, ...fields };
}
