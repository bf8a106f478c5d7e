import type { CustomDefinition, SubresourceDefinition, Verb } from '../../registry/resource-definition.ts';
import { struct } from '../../schema/builders.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';

export const customStatus = (kind: string): SubresourceDefinition => ({
  name: 'status',
  kind,
  verbs: ['get', 'patch', 'update'],
});

export const customScale: SubresourceDefinition = {
  name: 'scale',
  kind: 'Scale',
  groupVersion: { group: 'autoscaling', version: 'v1' },
  verbs: ['get', 'patch', 'update'],
};

const verbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const anything: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The definition of a custom type, `widgets.ex.io` in version v1 unless stated otherwise. For tests. */
export function customDefinition(options: Partial<CustomDefinition> = {}): CustomDefinition {
  const { group = 'ex.io', version = 'v1', resource = 'widgets', kind = 'Widget' } = options;
  return {
    origin: 'custom',
    group,
    version,
    resource,
    singular: kind.toLowerCase(),
    kind,
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs,
    subresources: [],
    schema: struct(`${group}/${version}.${kind}`, () => ({})),
    published: anything,
    rules: { name: 'dnsSubdomain', generation: true, unconditionalUpdate: true, returnsDeleted: false },
    storage: { group, version, kind, keyPrefix: `${group}/${resource}` },
    ...options,
  };
}
