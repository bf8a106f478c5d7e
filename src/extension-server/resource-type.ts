import { noneConverter } from '../extensions/conversion/index.ts';
import { CustomType } from '../extensions/custom-type.ts';
import { fieldErrorText } from '../meta/field-error.ts';
import { joinedErrors } from '../meta/joined-errors.ts';
import type { ResourceObject } from '../meta/object.ts';
import { runSync } from '../meta/turns.ts';
import type { ResourceDefinition, Verb } from '../registry/index.ts';
import type { DynamicType } from '../registry/resource-set.ts';
import { validateDefinition } from '../resources/apiextensions/definition-validation.ts';
import type { AnyResource } from './define-resource.ts';

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

const anyFields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/**
 * The type as `registry` serves it: the one that a CustomResourceDefinition with this content would define, with the
 * verbs that its backend has. Throws a RangeError for a resource that such a definition would not be accepted for.
 */
export function resourceType(resource: AnyResource, groupVersion: GroupVersion): DynamicType {
  const definition = customDefinition(resource, groupVersion);
  const errors = runSync(validateDefinition(definition, { oldObject: undefined, endpoint: 'main' }));
  if (errors.length > 0) {
    throw new RangeError(`resource ${resource.plural}: ${joinedErrors(errors.map(fieldErrorText))}`);
  }
  const { group } = groupVersion;
  const type = new CustomType({ group, resource: resource.plural }, () => noneConverter).update(definition);
  return { ...type, definitions: type.definitions.map((served) => withVerbs(served, resource)) };
}

function customDefinition(resource: AnyResource, { group, version }: GroupVersion): ResourceObject {
  const { plural, kind, shortNames = [], categories = [], namespaced = true, schema = anyFields } = resource;
  const { singular = kind.toLowerCase(), listKind = `${kind}List`, subresources, columns, selectableFields } = resource;
  const names = { plural, singular, kind, listKind, shortNames, categories };
  const served = {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...(subresources && {
      subresources: {
        ...(subresources.status && { status: {} }),
        ...(subresources.scale && { scale: subresources.scale }),
      },
    }),
    ...(columns && { additionalPrinterColumns: columns }),
    ...(selectableFields && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
  return {
    metadata: {
      name: `${plural}.${group}`,
      // Definitions in groups of Kubernetes need an approval annotation. APIServices do not.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, served by an extension API server' },
    },
    spec: {
      group,
      names,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [served],
      conversion: { strategy: 'None' },
    },
    status: { acceptedNames: names, storedVersions: [version] },
  };
}

function withVerbs(definition: ResourceDefinition, { backend }: AnyResource): ResourceDefinition {
  if ('storage' in backend) return definition;
  const update = backend.update !== undefined;
  const has: Readonly<Record<Verb, boolean>> = {
    get: true,
    list: true,
    watch: backend.watch !== undefined,
    create: backend.create !== undefined,
    update,
    patch: update,
    delete: backend.delete !== undefined,
    deletecollection: backend.delete !== undefined,
  };
  const offered = (verbs: readonly Verb[]): Verb[] => verbs.filter((verb) => has[verb]);
  return {
    ...definition,
    verbs: offered(definition.verbs),
    subresources: definition.subresources.map((subresource) => ({
      ...subresource,
      verbs: offered(subresource.verbs),
    })),
    storage: { ...definition.storage!, hashVersion: '' },
    // A backend need not have versions, and then clients cannot send one.
    rules: { ...definition.rules, unconditionalUpdate: true },
  };
}
