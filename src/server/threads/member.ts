import type { AuditEvent, LineFile } from '../../audit/index.ts';
import type { SignIns } from '../../console/index.ts';
import { type FlowState, InFlightCounts, LevelSeats } from '../../flow-control/index.ts';
import type { MetricsSnapshot, OtherNumbers } from '../../metrics/index.ts';
import type { OtherFlows } from '../flow-control.ts';
import type { RequestCounts } from '../server-status.ts';
import { ReceivedFiles } from './received-files.ts';
import type { ThreadLink } from './thread-link.ts';
import type { MemberAnswers, OwnerAnswers, ThreadStart } from './thread-protocol.ts';

/** What a thread knows of the others. */
export interface Colleagues extends OtherNumbers, OtherFlows {
  /** By which the server recognizes requests that it has passed on itself. */
  readonly serverId: string;
  /** The requests of the other threads. */
  requests(): Promise<readonly RequestCounts[]>;
  /** The last audit events of the other threads. */
  auditEvents(limit: number): Promise<readonly (readonly AuditEvent[])[]>;
}

/** A further thread of a server, as it sees itself. The first thread does for it what only one can do. */
export class Member implements Colleagues {
  readonly index: number;
  /** The port on which all threads listen. */
  readonly port: number;
  readonly startTime: Date;
  readonly serverId: string;
  readonly inFlight: InFlightCounts;
  readonly seats: LevelSeats;
  readonly files: ReceivedFiles;
  readonly #link: ThreadLink<MemberAnswers, OwnerAnswers>;

  constructor(start: ThreadStart, link: ThreadLink<MemberAnswers, OwnerAnswers>) {
    const { index, port, startTime, serverId, inFlight, seats, files } = start;
    this.index = index;
    this.port = port;
    this.startTime = new Date(startTime);
    this.serverId = serverId;
    this.inFlight = new InFlightCounts(inFlight, index);
    this.seats = new LevelSeats(seats, index);
    this.files = new ReceivedFiles(files);
    this.#link = link;
  }

  /** The audit log, which the first thread writes. */
  get auditFile(): LineFile {
    return {
      write: async (lines) => {
        const problem = await this.#link.ask('audit', lines);
        if (problem !== undefined) throw new Error(problem);
      },
      close: () => Promise.resolve(),
    };
  }

  /** Those who have signed in to the console, which the first thread keeps. */
  get signIns(): SignIns {
    const call =
      <T>(name: keyof SignIns) =>
      (...args: unknown[]): Promise<T> =>
        this.#link.ask('signIns', { name, args }) as Promise<T>;
    return {
      makeLink: call('makeLink'),
      redeem: call('redeem'),
      begin: call('begin'),
      find: call('find'),
      end: call('end'),
    };
  }

  metrics(path: string): Promise<readonly MetricsSnapshot[]> {
    return this.#link.ask('metrics', path);
  }

  resetMetrics(path: string): Promise<unknown> {
    return this.#link.ask('resetMetrics', path);
  }

  /** An extension server could not be reached. */
  recheck(name: string): void {
    this.#link.tell('recheck', name);
  }

  requests(): Promise<readonly RequestCounts[]> {
    return this.#link.ask('requests', undefined);
  }

  flowStates(): Promise<readonly FlowState[]> {
    return this.#link.ask('flowStates', undefined);
  }

  auditEvents(limit: number): Promise<readonly (readonly AuditEvent[])[]> {
    return this.#link.ask('auditEvents', limit);
  }
}
