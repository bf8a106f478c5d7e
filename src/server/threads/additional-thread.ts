import type { MessagePort } from 'node:worker_threads';
import type { AuditEvent, LineFile } from '../../audit/index.ts';
import type { SignIns } from '../../console/index.ts';
import { type FlowState, InFlightCounts, LevelSeats } from '../../flow-control/index.ts';
import type { MetricsSnapshot, OtherThreadMetrics } from '../../metrics/index.ts';
import type { OtherThreadFlows } from '../flow-control.ts';
import type { ThreadRequestCounts } from '../server-status.ts';
import { ReceivedFiles } from './received-files.ts';
import type { ThreadLink } from './thread-link.ts';
import type { AdditionalThreadCalls, FirstThreadCalls, ThreadRole, ThreadStart } from './thread-protocol.ts';

/** State of the other threads. */
export interface OtherThreads extends OtherThreadMetrics, OtherThreadFlows {
  /** Identifies this server in `Via`, to detect forwarding loops. */
  readonly serverId: string;
  /** The request counts of the other threads. */
  requests(): Promise<readonly ThreadRequestCounts[]>;
  /** The last audit events of the other threads. */
  auditEvents(limit: number): Promise<readonly (readonly AuditEvent[])[]>;
  /**
   * Starts the thread for large requests, unless it has been started. `onLargeRequests` is called when it is ready.
   * Returns false while the server starts.
   */
  startLargeRequests(): boolean;
  onLargeRequests: (port: MessagePort) => void;
}

/** Runs in an additional thread. Delegates work that only one thread may do to the first thread. */
export class AdditionalThread implements OtherThreads {
  readonly index: number;
  readonly role: ThreadRole;
  /** The port on which all threads listen. */
  readonly port: number;
  readonly startTime: Date;
  readonly serverId: string;
  readonly inFlight: InFlightCounts;
  readonly seats: LevelSeats;
  readonly files: ReceivedFiles;
  /** Called with a connection between this thread and the one for large requests, or, in that one, with another. */
  onLargeRequests: (port: MessagePort) => void = (port) => port.close();
  readonly #link: ThreadLink<AdditionalThreadCalls, FirstThreadCalls>;

  constructor(start: ThreadStart, link: ThreadLink<AdditionalThreadCalls, FirstThreadCalls>) {
    const { index, role, port, startTime, serverId, inFlight, seats, files } = start;
    this.index = index;
    this.role = role;
    this.port = port;
    this.startTime = new Date(startTime);
    this.serverId = serverId;
    this.inFlight = new InFlightCounts(inFlight, index);
    this.seats = new LevelSeats(seats, index);
    this.files = new ReceivedFiles(files);
    this.#link = link;
  }

  /** The audit log. The first thread writes it. */
  get auditFile(): LineFile {
    return {
      write: async (lines) => {
        const problem = await this.#link.call('audit', lines);
        if (problem !== undefined) throw new Error(problem);
      },
      close: () => Promise.resolve(),
    };
  }

  /** Console sessions. They are kept in the first thread. */
  get signIns(): SignIns {
    const call =
      <T>(name: keyof SignIns) =>
      (...args: unknown[]): Promise<T> =>
        this.#link.call('signIns', { name, args }) as Promise<T>;
    return {
      makeLink: call('makeLink'),
      redeem: call('redeem'),
      begin: call('begin'),
      find: call('find'),
      end: call('end'),
    };
  }

  metrics(path: string): Promise<readonly MetricsSnapshot[]> {
    return this.#link.call('metrics', path);
  }

  resetMetrics(path: string): Promise<unknown> {
    return this.#link.call('resetMetrics', path);
  }

  startLargeRequests(): boolean {
    this.#link.notify('startLargeRequests', undefined);
    return true;
  }

  /** Reports that an extension server could not be reached. */
  recheck(name: string): void {
    this.#link.notify('recheck', name);
  }

  requests(): Promise<readonly ThreadRequestCounts[]> {
    return this.#link.call('requests', undefined);
  }

  flowStates(): Promise<readonly FlowState[]> {
    return this.#link.call('flowStates', undefined);
  }

  auditEvents(limit: number): Promise<readonly (readonly AuditEvent[])[]> {
    return this.#link.call('auditEvents', limit);
  }
}
