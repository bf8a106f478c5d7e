/** The descriptions of types and fields. The texts live in another folder and are loaded on the first request. */
export interface Descriptions {
  /** The description of a type by its name, such as `core/v1.PodSpec`. Undefined for a type without one. */
  type(typeName: string): string | undefined;
  /** The description of a field of the type. */
  field(typeName: string, fieldName: string): string | undefined;
}

/** The two fields that only kinds have. */
export const kindProperties = {
  apiVersion: {
    type: 'string',
    description: 'Group and version of the kind, such as `apps/v1`. Kinds of the core group have the version alone.',
  },
  kind: {
    type: 'string',
    description: 'Name of the type of the object, such as `Pod`. It cannot be changed.',
  },
} as const;

/** The `description` member, or nothing without a text. */
export function describedBy(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
