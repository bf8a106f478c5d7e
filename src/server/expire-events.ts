import type { Clock } from '../meta/clock.ts';
import type { Storage } from '../storage/index.ts';
import { ExpiringObjects } from '../store/index.ts';

export interface EventExpiryOptions {
  readonly storage: Storage;
  /** 0 keeps events forever. */
  readonly ttlMs: number;
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
}

/** Both event groups store their objects under this prefix. */
export const eventsPrefix = '/registry/events/';

/** Deletes events that were not written for `ttlMs`, until the abort. */
export function expireEvents({ ttlMs, ...options }: EventExpiryOptions, signal: AbortSignal): void {
  if (ttlMs > 0) new ExpiringObjects({ ...options, prefix: eventsPrefix, ttlMs, writtenAt }).start(signal);
}

interface StoredMeta {
  readonly creationTimestamp?: string | null;
  readonly managedFields?: readonly { readonly time?: string | null }[] | null;
}

/** The time of the last write of a stored event, from its creation timestamp and managed fields. */
export function writtenAt(value: Buffer): number | undefined {
  let metadata: StoredMeta | undefined;
  try {
    ({ metadata } = JSON.parse(value.toString()) as { metadata?: StoredMeta });
  } catch {
    return undefined;
  }
  const times = [metadata?.creationTimestamp, ...(metadata?.managedFields ?? []).map(({ time }) => time)];
  const known = times.map((time) => Date.parse(time ?? '')).filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : Math.max(...known);
}
