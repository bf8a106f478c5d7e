import { apiVersionOf, type GroupVersion } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ResourceDefinition, ResourceRules, StorageLayout } from '../registry/resource-definition.ts';
import type { StructSchema } from '../schema/model.ts';

type Conversion = NonNullable<StorageLayout['conversion']>;

interface VersionOptions {
  readonly version: string;
  readonly schema: StructSchema;
  /** Needed only where the shape is another one. */
  readonly conversion?: Conversion;
  /** In what this version deviates from the rules of the stored one. */
  readonly rules?: Partial<ResourceRules>;
  /** Set when clients are to move on. */
  readonly deprecated?: Deprecation;
}

interface Deprecation {
  /** The minor release of Kubernetes 1 since which the version is deprecated, and the one that does not have it any more. */
  readonly since: number;
  readonly unavailable: number;
  /** The version of the same kind to use in its place. */
  readonly replacement?: string;
}

/** Another version of a resource that is stored as `stored` says. Whatever is not given is as there. */
export function defineVersion(stored: ResourceDefinition, options: VersionOptions): ResourceDefinition {
  const { version, schema, rules, deprecated } = options;
  if (stored.storage === undefined) throw new TypeError(`${stored.resource} is never stored`);
  const at = { group: stored.group, version };
  const conversion = options.conversion ?? sameShape(at, stored.storage);
  const { deprecation: _deprecation, ...inherited } = stored.rules;
  return {
    ...stored,
    ...at,
    schema,
    rules: { ...inherited, ...rules, ...(deprecated && { deprecation: deprecationText(at, stored.kind, deprecated) }) },
    storage: { ...stored.storage, conversion },
  };
}

/** Of versions that differ in their name only. */
function sameShape(served: GroupVersion, stored: GroupVersion): Conversion {
  return { toStored: inVersion(apiVersionOf(stored)), fromStored: inVersion(apiVersionOf(served)) };
}

/** The kind and its version begin every document. */
function inVersion(apiVersion: string): (object: ResourceObject) => ResourceObject {
  return ({ kind, apiVersion: _other, ...rest }) => ({ kind, apiVersion, ...rest });
}

export function deprecationText(at: GroupVersion, kind: string, deprecation: Deprecation): string {
  const { since, unavailable, replacement } = deprecation;
  const text = `${apiVersionOf(at)} ${kind} is deprecated in v1.${since}+, unavailable in v1.${unavailable}+`;
  if (replacement === undefined) return text;
  return `${text}; use ${apiVersionOf({ group: at.group, version: replacement })} ${kind}`;
}
