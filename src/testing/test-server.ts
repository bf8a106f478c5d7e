import {
  openStorage,
  type Server,
  type ServerComponents,
  type ServerOptions,
  type StartInternals,
  startServerOn,
} from '../server/index.ts';
import { Activity, type QuietOptions } from './activity.ts';
import { ManualClock } from './manual-clock.ts';
import { changedObjects, describeReport, type Report } from './report.ts';
import { RequestHistory } from './request-history.ts';
import { SeededIdentity } from './seeded-identity.ts';
import { type RestoreOptions, type Snapshot, StoreSnapshot } from './snapshot.ts';
import { copyStore, readAll } from './store-copy.ts';

/** Options of a test server: those of every server. The objects are kept in memory unless `storage` is set. */
export interface TestServerOptions extends ServerOptions {
  /** The seed of uids, generated names, token ids and similar. Default: random. */
  readonly seed?: string | number;
  /** A server whose certificates and keys are reused. By default new ones are created. */
  readonly credentialsOf?: TestServer;
}

/** The options of a fork that differ from those of its parent. */
export interface ForkOptions extends Omit<TestServerOptions, 'storage' | 'dataDir' | 'credentialsOf'> {}

/** A running server with the handles that tests need. */
export interface TestServer extends Server {
  /**
   * Starts an independent server with a copy of all objects. It has another port and the same certificates and keys, so
   * that the clients of this server can use it. Its objects are in memory. Its revisions continue from those of this
   * server.
   */
  fork(options?: ForkOptions): Promise<TestServer>;
  /** Takes a snapshot of everything that is stored now. */
  snapshot(): Promise<Snapshot>;
  /**
   * Restores the stored objects of the snapshot. Objects that have changed since get a new, higher resourceVersion;
   * their uids are those of the snapshot. Resolves when the restore has taken effect.
   */
  restore(snapshot: Snapshot, options?: RestoreOptions): Promise<void>;
  /**
   * Resolves when no request is running, all watches have sent their events, no built-in controller has work, and
   * nothing was written for a while. After the timeout, rejects with a description of the remaining activity.
   */
  untilQuiet(options?: QuietOptions): Promise<void>;
  /**
   * Resolves when the server has reached the revision and has sent all events to the watches of the client, which is
   * named by a part of its user agent. Rejects after 30 s.
   */
  untilSeen(client: string, resourceVersion: string | number): Promise<void>;
  /** All stored values by their keys, such as `/registry/configmaps/default/settings`. */
  stored(): Promise<Map<string, Buffer>>;
  /** The changes since the snapshot, with their requests. */
  report(since: Snapshot): Promise<Report>;
  /** The report as text. */
  describe(since: Snapshot): Promise<string>;
  /** Stops the server at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server for tests and resolves when it is ready. Rejects like `startServer`. */
export function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { seed, credentialsOf, ...given } = options;
  const material = credentialsOf && componentsOf.get(credentialsOf)?.material;
  const identity = seed === undefined ? undefined : new SeededIdentity(seed);
  const server = { storage: 'memory' as const, ...given, ...(identity && { identity }) };
  return start(server, openStorage, { ...(material && { material }) });
}

/** The parts of each server. They are not members of the server, so that a copy of the object does not have them. */
const componentsOf = new WeakMap<TestServer, ServerComponents>();

async function start(
  options: ServerOptions,
  open: Parameters<typeof startServerOn>[0],
  internals: StartInternals,
): Promise<TestServer> {
  const history = new RequestHistory();
  let components: ServerComponents | undefined;
  const server = await startServerOn(open, options, {
    ...internals,
    observers: [history],
    onReady: (made) => (components = made),
  });
  const { store, material } = components!;
  const activity = await Activity.follow(components!);
  const { clock, identity } = options;
  const forget = clock instanceof ManualClock ? clock.awaits(() => activity.untilIdle()) : () => {};
  const requestsBefore = new WeakMap<Snapshot, number>();
  const stop = async (): Promise<void> => {
    forget();
    activity.stop();
    await server.stop();
  };
  const report = async (since: Snapshot): Promise<Report> => ({
    since,
    changed: await changedObjects(ownSnapshot(since)),
    requests: history.after(requestsBefore.get(since) ?? 0),
  });
  const testServer: TestServer = {
    ...server,
    stop,
    fork: async ({ seed, ...different } = {}) => {
      const copy = await copyStore(store);
      const since = copy.latestRevision();
      // Later revisions of both are different objects.
      let origin: ServerComponents['resources'] | undefined = components!.resources;
      const findDecoded: StartInternals['findDecoded'] = (type, stored) =>
        stored.revision <= since ? origin?.readForCopy(type, stored) : undefined;
      const { dataDir: _dataDir, securePort: _securePort, ...same } = options;
      const forked = identity instanceof SeededIdentity ? identity.fork() : identity;
      const own = seed === undefined ? forked : new SeededIdentity(seed);
      const all = { ...same, ...(own && { identity: own }), ...different, storage: 'memory' as const };
      try {
        return await start(all, async () => copy, { material, isCopy: true, findDecoded });
      } finally {
        // The fork does not keep its parent in memory.
        origin = undefined;
      }
    },
    snapshot: async () => {
      const snapshot = await StoreSnapshot.take(store);
      requestsBefore.set(snapshot, history.count);
      return snapshot;
    },
    restore: async (snapshot, restoreOptions) => {
      await ownSnapshot(snapshot).restore(components!, restoreOptions);
      await activity.untilIdle();
    },
    untilQuiet: (quiet) => activity.untilQuiet(quiet),
    untilSeen: (client, version) => activity.untilSeen(client, Number(version)),
    stored: async () => new Map(Array.from(await readAll(store), ([key, { value }]) => [key, value])),
    report,
    describe: async (since) => describeReport(await report(since)),
    [Symbol.asyncDispose]: stop,
  };
  componentsOf.set(testServer, components!);
  return testServer;
}

function ownSnapshot(snapshot: Snapshot): StoreSnapshot {
  if (!(snapshot instanceof StoreSnapshot)) throw new TypeError('not a snapshot of a test server');
  return snapshot;
}
