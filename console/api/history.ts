import type { ApiObject } from './api-object.ts';
import { requestJson } from './request.ts';

/** A version of an object that the store still has, or its deletion. */
export interface Revision {
  readonly revision: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'EXISTING';
  readonly uid?: string;
  readonly time?: string;
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

export interface RevisionList {
  readonly revision: string;
  readonly oldestRevision: string;
  readonly truncated: boolean;
  readonly revisions: readonly Revision[];
}

/** The revisions of the object at a path of the API, the oldest first. */
export function listRevisions(path: string, signal?: AbortSignal): Promise<RevisionList> {
  return requestJson<RevisionList>(`/keelson/history${path}`, { signal });
}

export function objectAt(path: string, revision: string, signal?: AbortSignal): Promise<ApiObject> {
  return requestJson<ApiObject>(`/keelson/history${path}?revision=${encodeURIComponent(revision)}`, { signal });
}
