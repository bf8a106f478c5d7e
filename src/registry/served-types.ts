import type { ServedType, ServedTypes } from '../admission/index.ts';
import { objectType } from '../schema/rules/index.ts';
import type { ResourceDefinition } from './resource-definition.ts';

/** Finds the types that expressions see for the objects of the served kinds. */
export function servedTypes(resources: { readonly definitions: readonly ResourceDefinition[] }): ServedTypes {
  const find = (matches: (definition: ResourceDefinition) => boolean): ServedType | undefined => {
    const found = resources.definitions.find(matches);
    if (found === undefined) return undefined;
    const { group, version, kind, schema } = found;
    return { kind: { group, version, kind }, type: objectType(schema, kind) };
  };
  return {
    byResource: ({ group, version, resource }) =>
      find((one) => one.group === group && one.version === version && one.resource === resource),
    byKind: ({ group, version, kind }) =>
      find((one) => one.group === group && one.version === version && one.kind === kind),
  };
}
