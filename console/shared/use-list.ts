import { useEffect, useMemo } from 'preact/hooks';
import type { ApiObject } from '../api/api-object.ts';
import { followList, type LiveList } from './follow-list.ts';

/** Follows a list while the component is mounted. */
export function useList<T extends ApiObject>(path: string): LiveList<T> {
  const controller = useMemo(() => new AbortController(), [path]);
  const list = useMemo(() => followList<T>(path, controller.signal), [path]);
  useEffect(() => () => controller.abort(), [controller]);
  return list;
}
