import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { PathHandler } from '../http/api-route.ts';
import { buildInfo } from '../http/discovery/index.ts';
import { documentRoute, statusPath } from '../http/document-route.ts';
import type { Storage } from '../storage/index.ts';
import { type LastBackup, lastBackup } from './backup/last-backup.ts';
import type { ResolvedOptions } from './options.ts';

/** The state of the server, as `/keelson/status` returns it. */
export interface ServerStatus {
  readonly version: string;
  readonly startTime: string;
  readonly storage: StorageStatus;
  readonly requests: RequestCounts;
  /** The number of threads that accept connections. */
  readonly threads: number;
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
  /** The last backup of the data directory that succeeded. */
  readonly lastBackup?: LastBackup | undefined;
}

export interface StorageStatus {
  readonly kind: ResolvedOptions['storage'];
  readonly revision: number;
  readonly compactedRevision: number;
  readonly objects: number;
  /** The size of the files of the embedded store. */
  readonly bytes?: number | undefined;
}

export interface RequestCounts {
  /** The number of running requests, without watches and other long-running ones. */
  readonly running: number;
  /** The number of requests since the start. */
  readonly total: number;
  readonly watches: number;
}

/** The counts of one thread. */
export interface ThreadRequestCounts extends RequestCounts {
  readonly acceptsConnections: boolean;
}

export interface ServerStatusOptions {
  readonly options: ResolvedOptions;
  readonly storage: Storage;
  readonly dataDir: string | undefined;
  readonly startTime: Date;
  /** Returns the request counts of each thread that handles requests. */
  readonly requests: () => Promise<readonly ThreadRequestCounts[]>;
}

/** Returns the sum of the counts of several threads. */
function sumOf(counts: readonly RequestCounts[]): RequestCounts {
  const sum = (count: (each: RequestCounts) => number): number =>
    counts.reduce((total, each) => total + count(each), 0);
  return {
    running: sum(({ running }) => running),
    total: sum(({ total }) => total),
    watches: sum(({ watches }) => watches),
  };
}

const all = { start: '/registry/', end: '/registry0' };

/** Serves the status of the server. The request fails when the storage does not respond. */
export function statusPage(server: ServerStatusOptions): PathHandler {
  return documentRoute(statusPath, () => serverStatus(server));
}

async function serverStatus(server: ServerStatusOptions): Promise<ServerStatus> {
  const { options, storage, dataDir, startTime, requests } = server;
  const { revision, count = 0 } = await storage.range({ ...all, limit: 1, count: true });
  const counts = await requests();
  const { rss, heapUsed } = process.memoryUsage();
  const isEmbedded = options.storage === 'embedded' && dataDir !== undefined;
  return {
    version: buildInfo().packageVersion,
    startTime: startTime.toISOString(),
    storage: {
      kind: options.storage,
      revision,
      compactedRevision: storage.compactedRevision(),
      objects: count,
      bytes: isEmbedded ? storeBytes(dataDir) : undefined,
    },
    requests: sumOf(counts),
    threads: counts.filter(({ acceptsConnections }) => acceptsConnections).length,
    memory: { residentBytes: rss, heapBytes: heapUsed },
    lastBackup: isEmbedded ? lastBackup(dataDir) : undefined,
  };
}

/** The size of the files of the embedded store. */
export function storeBytes(dataDir: string): number {
  const files = ['', '-wal', '-redo'].map((end) => join(dataDir, 'store', `storage.sqlite${end}`));
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
