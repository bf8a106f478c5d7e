import type { WatchOutput } from '../http/watch/watch-output.ts';
import type { Status } from '../meta/status-error.ts';
import type { WatchEvent, WatchStream } from '../registry/index.ts';
import type { ActiveRule } from './active-rule.ts';
import { faultError } from './fault-error.ts';
import type { FaultAction, FaultedRequest } from './fault-rule.ts';

export type WatchAction = Extract<FaultAction, { type: 'holdEvents' | 'delayEvents' | 'endWatch' | 'cutWatch' }>;

export function isWatchAction(action: FaultAction): action is WatchAction {
  return ['holdEvents', 'delayEvents', 'endWatch', 'cutWatch'].includes(action.type);
}

/** The maximum number of held bytes. The server queues as many for a slow client. */
const budget = 16 * 1024 * 1024;

type Bookmark = Parameters<WatchOutput['sendBookmark']>[0];

interface Step {
  readonly since: number;
  readonly bytes: number;
  readonly isEvent: boolean;
  readonly run: () => void;
}

interface AppliedFault {
  readonly rule: ActiveRule;
  readonly action: WatchAction;
  /** The number of events that are sent before the fault takes effect. */
  eventsLeft: number;
}

export interface FaultedWatchOptions {
  readonly output: WatchOutput;
  readonly request: FaultedRequest;
  /** Closes the connection or stream at once. */
  readonly cut: () => void;
}

/** A watch whose events may be held or delayed, or which may be ended. Without faults it delivers events at once. */
export class FaultedWatch implements WatchOutput {
  readonly request: FaultedRequest;
  readonly #output: WatchOutput;
  readonly #cutOff: () => void;
  readonly #faults = new Set<AppliedFault>();
  #queue: Step[] = [];
  #queuedBytes = 0;
  #isPumping = false;
  #isEnded = false;
  /** Functions that wake the sender. */
  readonly #waiting = new Set<() => void>();

  constructor({ output, request, cut }: FaultedWatchOptions) {
    this.request = request;
    this.#output = output;
    this.#cutOff = cut;
  }

  /** Applies a rule that affects this watch. */
  apply(rule: ActiveRule, action: WatchAction): void {
    const fault: AppliedFault = { rule, action, eventsLeft: 'afterEvents' in action ? (action.afterEvents ?? 0) : 0 };
    this.#faults.add(fault);
    this.#endIfDue();
  }

  /** Called when the rule has been removed. */
  lift(rule: ActiveRule): void {
    for (const fault of this.#faults) if (fault.rule === rule) this.#faults.delete(fault);
    this.#wake();
  }

  writeBacklog(backlog: WatchStream['backlog']): Promise<void> {
    return this.#output.writeBacklog(this.#paced(backlog));
  }

  goLive(last?: Bookmark): void {
    this.#output.goLive(last);
  }

  send(event: WatchEvent): void {
    this.#pass({ bytes: event.document.length, isEvent: true, run: () => this.#output.send(event) });
  }

  sendBookmark(bookmark: Bookmark): void {
    // A bookmark must not overtake earlier events, because a client may resume from its version.
    this.#pass({ bytes: 0, isEvent: false, run: () => this.#output.sendBookmark(bookmark) });
  }

  end(reason?: Status): void {
    this.#isEnded = true;
    // The client resumes from the last version that it got, so it misses nothing.
    this.#queue = [];
    this.#output.end(reason);
    this.#wake();
  }

  #pass(step: Omit<Step, 'since'>): void {
    if (this.#isEnded) return;
    this.#queue.push({ ...step, since: performance.now() });
    this.#queuedBytes += step.bytes;
    if (this.#queuedBytes > budget) this.#cut();
    else this.#pump();
  }

  #pump(): void {
    if (this.#isPumping) return;
    while (this.#queue.length > 0 && !this.#isEnded) {
      const wait = this.#wait(this.#queue[0]!.since);
      if (wait !== undefined) {
        this.#isPumping = true;
        void wait.then(() => {
          this.#isPumping = false;
          this.#pump();
        });
        return;
      }
      const step = this.#queue.shift()!;
      this.#queuedBytes -= step.bytes;
      step.run();
      if (step.isEvent) this.#countEvent();
    }
  }

  /**
   * Returns undefined when an event that arrived at `since` may be sent. Otherwise the promise resolves when this may have
   * changed.
   */
  #wait(since: number): Promise<void> | undefined {
    if (this.#isEnded) return undefined;
    const faults = [...this.#faults];
    const isHeld = faults.some(({ action, eventsLeft }) => action.type === 'holdEvents' && eventsLeft === 0);
    const delays = faults.map(({ action }) => (action.type === 'delayEvents' ? action.ms : 0));
    const left = isHeld ? undefined : since + Math.max(0, ...delays) - performance.now();
    if (left !== undefined && left <= 0) return undefined;
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = left === undefined ? undefined : setTimeout(wake, left);
      this.#waiting.add(wake);
    });
  }

  async *#paced(backlog: WatchStream['backlog']): AsyncGenerator<readonly WatchEvent[]> {
    const since = performance.now();
    await this.#turn(since);
    for await (const events of backlog) {
      if (this.#isEnded) return;
      if (this.#faults.size === 0) {
        yield events;
        continue;
      }
      for (const event of events) {
        await this.#turn(since);
        if (this.#isEnded) return;
        yield [event];
        this.#countEvent();
      }
    }
    await this.#turn(since);
  }

  async #turn(since: number): Promise<void> {
    for (let wait = this.#wait(since); wait !== undefined; wait = this.#wait(since)) await wait;
  }

  #countEvent(): void {
    for (const fault of this.#faults) if (fault.eventsLeft > 0) fault.eventsLeft--;
    this.#endIfDue();
  }

  #endIfDue(): void {
    for (const { action, eventsLeft } of this.#faults) {
      if (eventsLeft > 0 || this.#isEnded) continue;
      if (action.type === 'cutWatch') this.#cut();
      if (action.type === 'endWatch') this.end(action.status && faultError(action.status).status);
    }
  }

  #cut(): void {
    this.#isEnded = true;
    this.#queue = [];
    this.#cutOff();
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
