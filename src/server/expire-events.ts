import type { Storage } from '../storage/index.ts';
import { ExpiringObjects } from '../store/index.ts';

export interface EventExpiryOptions {
  readonly storage: Storage;
  /** 0: events are kept until somebody deletes them. */
  readonly ttlMs: number;
  readonly onError: (error: unknown) => void;
}

/** The events of both groups are stored here. */
const prefix = '/registry/events/';

/** Deletes events that nobody has written for a while, until the abort. */
export function expireEvents({ storage, ttlMs, onError }: EventExpiryOptions, signal: AbortSignal): void {
  if (ttlMs > 0) new ExpiringObjects({ storage, prefix, ttlMs, writtenAt, onError }).start(signal);
}

interface StoredMeta {
  readonly creationTimestamp?: string | null;
  readonly managedFields?: readonly { readonly time?: string | null }[] | null;
}

/** What the server itself noted in a stored event when it was created and when each of its writers changed it last. */
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
