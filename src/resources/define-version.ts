import { apiVersionOf, type GroupVersion } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ResourceDefinition, ResourceRules, StorageLayout } from '../registry/resource-definition.ts';
import type { StructSchema } from '../schema/model.ts';

type Conversion = NonNullable<StorageLayout['conversion']>;

interface VersionOptions {
  readonly version: string;
  readonly schema: StructSchema;
  /** Required if the version has different fields. */
  readonly conversion?: Conversion;
  /** Overrides of the rules of the stored version. */
  readonly rules?: Partial<ResourceRules>;
  /** Adds a deprecation warning to responses. */
  readonly deprecated?: Deprecation;
}

interface Deprecation {
  /** Minor release of Kubernetes 1 that deprecates the version. */
  readonly since: number;
  readonly unavailable: number;
  /** The version of the same kind that replaces it. */
  readonly replacement?: string;
}

/** Defines a further version of a resource. Omitted options are taken from the stored version. */
export function defineVersion(old: ResourceDefinition, options: VersionOptions): ResourceDefinition {
  const { version, schema, rules, deprecated } = options;
  if (old.storage === undefined) throw new TypeError(`${old.resource} is never stored`);
  const groupVersion = { group: old.group, version };
  const conversion = options.conversion ?? sameShape(groupVersion, old.storage);
  const { deprecation: _deprecation, ...inherited } = old.rules;
  return {
    ...old,
    ...groupVersion,
    schema,
    rules: {
      ...inherited,
      ...rules,
      ...(deprecated && { deprecation: deprecationText(groupVersion, old.kind, deprecated) }),
    },
    storage: { ...old.storage, conversion },
  };
}

/** Conversion between versions that differ only in their name. */
function sameShape(served: GroupVersion, old: GroupVersion): Conversion {
  return { toStored: inVersion(apiVersionOf(old)), fromStored: inVersion(apiVersionOf(served)) };
}

/** Puts `kind` and `apiVersion` first, which is their position in every document. */
function inVersion(apiVersion: string): (object: ResourceObject) => ResourceObject {
  return ({ kind, apiVersion: _other, ...rest }) => ({ kind, apiVersion, ...rest });
}

export function deprecationText(groupVersion: GroupVersion, kind: string, deprecation: Deprecation): string {
  const { since, unavailable, replacement } = deprecation;
  const text = `${apiVersionOf(groupVersion)} ${kind} is deprecated in v1.${since}+, unavailable in v1.${unavailable}+`;
  if (replacement === undefined) return text;
  return `${text}; use ${apiVersionOf({ group: groupVersion.group, version: replacement })} ${kind}`;
}
