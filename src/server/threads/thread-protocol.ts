import type { AuditEvent } from '../../audit/index.ts';
import type { SignIns } from '../../console/index.ts';
import type { FlowState } from '../../flow-control/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { MetricsSnapshot } from '../../metrics/index.ts';
import type { CreateScope } from '../../registry/index.ts';
import type { ThreadConnection } from '../../storage/embedded/shared-store.ts';
import type { GeneratedKeys } from '../key-material.ts';
import type { ServerOptions } from '../options.ts';
import type { RequestCounts } from '../server-status.ts';
import type { FilesConnection } from './published-files.ts';

/** What a further thread of a server is started with. */
export interface ThreadStart {
  readonly index: number;
  /** Without the logger. */
  readonly options: Omit<ServerOptions, 'log'>;
  readonly logsDebug: boolean;
  readonly dataDir: string | undefined;
  /** The port on which all threads listen. */
  readonly port: number;
  readonly keys: GeneratedKeys;
  /** Undefined if the thread opens a connection of its own. */
  readonly store: ThreadConnection | undefined;
  readonly files: FilesConnection;
  readonly startTime: number;
  /** By which the server recognizes requests that it has passed on itself. */
  readonly serverId: string;
  /** The memory of the counts of requests in flight. */
  readonly inFlight: SharedArrayBuffer;
  /** The memory of the seats of flow control. */
  readonly seats: SharedArrayBuffer;
}

/** A call of what the first thread keeps of those who have signed in to the console. */
export interface SignInCall {
  readonly name: keyof SignIns;
  readonly args: readonly unknown[];
}

export interface LoggedMessage {
  readonly level: 'debug' | 'info' | 'error';
  readonly message: string;
  readonly fields: object;
}

/** What the first thread is asked by the others. */
export type OwnerAnswers = {
  /** The thread accepts connections. */
  ready(none: undefined): void;
  /** The space for new objects of the thread has become too small, or has grown. */
  growing(isGrowing: boolean): void;
  log(message: LoggedMessage): void;
  /** Writes lines of the audit log. Resolves with what went wrong. */
  audit(lines: readonly Uint8Array[]): Promise<string | undefined>;
  signIns(call: SignInCall): MaybePromise<unknown>;
  /** An extension server, by the name of its APIService, could not be reached. */
  recheck(name: string): void;
  /** The numbers of all other threads. */
  metrics(path: string): Promise<MetricsSnapshot[]>;
  resetMetrics(path: string): Promise<void>;
  /** The requests of all other threads. */
  requests(none: undefined): Promise<RequestCounts[]>;
  /** What flow control does in all other threads. */
  flowStates(none: undefined): Promise<FlowState[]>;
  /** The last audit events of all other threads. */
  auditEvents(limit: number): Promise<(readonly AuditEvent[])[]>;
};

/** A thread of a server that serves requests. */
export interface ServingThread {
  /** Its numbers that are read at the path. */
  metrics(path: string): Promise<MetricsSnapshot>;
  resetMetrics(path: string): void;
  requests(): RequestCounts;
  flowState(): FlowState;
  /** The last ones that it has written. */
  auditEvents(limit: number): readonly AuditEvent[];
  /**
   * Resolves when the writes have ended that may still create an object in the scope, which is being deleted: those that
   * had begun before the thread knew. The first thread also waits for the others.
   */
  createsEnded(scope: CreateScope): Promise<void>;
  /** The certificates that the server has made have been renewed. */
  renew(keys: GeneratedKeys): void;
  /** Another thread accepts connections: its share of the clients is to reach it. */
  spreadConnections(): void;
  /** `/readyz` fails from now on. */
  shutDown(): void;
  /** Resolves when all connections are closed. */
  stop(): Promise<void>;
}

/** What the first thread asks the others. */
export type MemberAnswers = {
  metrics(path: string): Promise<MetricsSnapshot>;
  resetMetrics(path: string): MaybePromise<void>;
  requests(none: undefined): MaybePromise<RequestCounts>;
  flowState(none: undefined): MaybePromise<FlowState>;
  auditEvents(limit: number): MaybePromise<readonly AuditEvent[]>;
  createsEnded(scope: CreateScope): Promise<void>;
  renew(keys: GeneratedKeys): void;
  spreadConnections(none: undefined): void;
  shutDown(none: undefined): void;
  stop(none: undefined): Promise<void>;
};
