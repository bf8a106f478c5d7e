/** What types and fields mean, in words. The texts live outside of this room and are loaded with the first request. */
export interface Descriptions {
  /** What a type is, by its name such as `core/v1.PodSpec`. Undefined for a type without a text. */
  type(typeName: string): string | undefined;
  /** What a field of the type does. */
  field(typeName: string, fieldName: string): string | undefined;
}

/** The two fields that only types with a kind have. */
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

/** A member that is there only if the text is. */
export function describedBy(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
