import type { ApiObject } from '../api/api-object.ts';
import type { Schema } from '../document/schema.ts';

/** A CustomResourceDefinition, with the fields that the console reads. */
export interface Definition extends ApiObject {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string; readonly shortNames?: readonly string[] };
    readonly versions: readonly DefinitionVersion[];
    readonly conversion?: {
      readonly strategy?: string;
      readonly webhook?: {
        readonly conversionReviewVersions?: readonly string[];
        readonly clientConfig?: {
          readonly url?: string;
          readonly service?: { readonly name: string; readonly namespace: string };
        };
      };
    };
  };
  readonly status?: { readonly storedVersions?: readonly string[]; readonly conditions?: readonly unknown[] };
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: Readonly<Record<string, unknown>>;
  readonly additionalPrinterColumns?: readonly {
    readonly name: string;
    readonly type: string;
    readonly jsonPath: string;
    readonly description?: string;
    readonly priority?: number;
  }[];
}

/** Returns why the objects of a definition are not yet all stored in a single version. */
export function conversionState({ spec, status }: Definition): string {
  const stored = status?.storedVersions ?? [];
  const current = spec.versions.find(({ storage }) => storage)?.name ?? '';
  const strategy = spec.conversion?.strategy ?? 'None';
  const old = stored.filter((version) => version !== current);
  if (old.length > 0)
    return `objects may still be stored as ${old.join(', ')}: they are converted (${strategy}) when they are read`;
  if (spec.versions.length === 1) return 'one version, nothing to convert';
  return `all objects are stored as ${current}; other versions are converted (${strategy})`;
}
