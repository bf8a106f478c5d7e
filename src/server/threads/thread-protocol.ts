import type { MessagePort } from 'node:worker_threads';
import type { AuditEvent } from '../../audit/index.ts';
import type { SignIns } from '../../console/index.ts';
import type { FlowState } from '../../flow-control/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { MetricsSnapshot } from '../../metrics/index.ts';
import type { CreateScope } from '../../registry/index.ts';
import type { ThreadConnection } from '../../storage/embedded/shared-store.ts';
import type { GeneratedKeys } from '../key-material.ts';
import type { ServerOptions } from '../options.ts';
import type { ThreadRequestCounts } from '../server-status.ts';
import type { FilesConnection } from './published-files.ts';
import type { YoungGenerationSize } from './young-generation.ts';

export type ThreadRole = 'connections' | 'large requests';

/** Start parameters of an additional thread. */
export interface ThreadStart {
  readonly index: number;
  /** Which requests the thread handles: those of its own connections, or large ones of the other threads. */
  readonly role: ThreadRole;
  /** The options without the logger, which cannot be sent to a thread. */
  readonly options: Omit<ServerOptions, 'log'>;
  readonly logsDebug: boolean;
  readonly dataDir: string | undefined;
  /** The port on which all threads listen. */
  readonly port: number;
  readonly keys: GeneratedKeys;
  /** Undefined if the thread opens its own connection to etcd. */
  readonly store: ThreadConnection | undefined;
  readonly files: FilesConnection;
  readonly startTime: number;
  /** Identifies this server in `Via`, to detect forwarding loops. */
  readonly serverId: string;
  /** Shared memory with the number of requests in flight. */
  readonly inFlight: SharedArrayBuffer;
  /** Shared memory with the seats of flow control. */
  readonly seats: SharedArrayBuffer;
}

/** A call to the console sessions in the first thread. */
export interface SignInCall {
  readonly name: keyof SignIns;
  readonly args: readonly unknown[];
}

export interface LoggedMessage {
  readonly level: 'debug' | 'info' | 'error';
  readonly message: string;
  readonly fields: object;
}

/** Calls from additional threads to the first thread. */
export type FirstThreadCalls = {
  /** Reports that the thread has loaded the program. */
  loaded(none: undefined): void;
  /** Reports that the thread accepts connections. */
  ready(none: undefined): void;
  /** Reports that the young generation of the thread is too small, or no longer is. */
  youngGeneration(size: YoungGenerationSize): void;
  log(message: LoggedMessage): void;
  /** Writes lines of the audit log. Resolves with the message of an error, if there is one. */
  audit(lines: readonly Uint8Array[]): Promise<string | undefined>;
  signIns(call: SignInCall): MaybePromise<unknown>;
  /** Starts the thread for large requests, unless it has been started. */
  startLargeRequests(none: undefined): void;
  /** Reports that an extension server could not be reached. `name` is that of its APIService. */
  recheck(name: string): void;
  /** The metrics of all other threads. */
  metrics(path: string): Promise<MetricsSnapshot[]>;
  resetMetrics(path: string): Promise<void>;
  /** The request counts of all other threads. */
  requests(none: undefined): Promise<ThreadRequestCounts[]>;
  /** The state of flow control in all other threads. */
  flowStates(none: undefined): Promise<FlowState[]>;
  /** The last audit events of all other threads. */
  auditEvents(limit: number): Promise<(readonly AuditEvent[])[]>;
};

/** A thread that serves requests. */
export interface ServingThread {
  /** Its metrics for the path. */
  metrics(path: string): Promise<MetricsSnapshot>;
  resetMetrics(path: string): void;
  requests(): ThreadRequestCounts;
  flowState(): FlowState;
  /** The last audit events that it has written. */
  auditEvents(limit: number): readonly AuditEvent[];
  /**
   * Resolves when the creates in the scope have ended that began before the thread knew that the scope is being
   * deleted. The first thread also waits for the other threads.
   */
  createsEnded(scope: CreateScope): Promise<void>;
  /** Uses the renewed certificates of the server. */
  renew(keys: GeneratedKeys): void;
  /** Another thread has started: asks clients to reconnect. */
  spreadConnections(): void;
  /** Makes `/readyz` fail. */
  shutDown(): void;
  /** Resolves when all connections are closed. */
  stop(): Promise<void>;
}

/** Calls from the first thread to the others. */
export type AdditionalThreadCalls = {
  metrics(path: string): Promise<MetricsSnapshot>;
  resetMetrics(path: string): MaybePromise<void>;
  requests(none: undefined): MaybePromise<ThreadRequestCounts>;
  flowState(none: undefined): MaybePromise<FlowState>;
  auditEvents(limit: number): MaybePromise<readonly AuditEvent[]>;
  createsEnded(scope: CreateScope): Promise<void>;
  renew(keys: GeneratedKeys): void;
  /** Connects the thread for large requests with another one. Both get a port. */
  connectLargeRequests(port: MessagePort): void;
  spreadConnections(none: undefined): void;
  shutDown(none: undefined): void;
  stop(none: undefined): Promise<void>;
};
