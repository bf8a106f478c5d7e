import type { GroupVersionKind } from '../admission-request.ts';

/** The served types of a kind. */
export type TypesOfKind = (
  kind: GroupVersionKind,
) => readonly { readonly resource: string; readonly namespaced: boolean }[];
