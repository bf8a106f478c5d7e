import type { ResourceObject } from '../../meta/object.ts';
import { distinctOwnerReferences } from '../../meta/owner-references.ts';

/** Removes duplicate owner references and warns about them. */
export function dropRepeatedOwners(
  { metadata }: ResourceObject,
  warn: (text: string) => void,
  when: { readonly afterAdmission?: boolean } = {},
): void {
  if (metadata.ownerReferences === undefined || metadata.ownerReferences.length < 2) return;
  const { references, warning } = distinctOwnerReferences(metadata.ownerReferences, when);
  if (warning === undefined) return;
  warn(warning);
  metadata.ownerReferences = [...references];
}
