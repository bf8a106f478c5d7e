import { StorageError } from '../storage.ts';
import { CallSlots } from './call-slots.ts';
import type { Endpoint } from './endpoint.ts';
import { failureKind, storageErrorOf } from './etcd-failure.ts';
import { Member, type MemberCall, type MemberOptions } from './member.ts';

/** How long a call waits for a connection. */
const connectMs = 3000;
const maxCalls = 1024;
const maxWaiting = 16_384;
const repeatDelayMs = 50;

export interface MembersOptions {
  readonly endpoints: readonly Endpoint[];
  readonly tls: MemberOptions['tls'];
  /** The deadline of a call. */
  readonly timeoutMs: number;
}

/** The members of the cluster. Calls go to one of them, and to the others when it fails. */
export class Members {
  readonly #members: readonly Member[];
  readonly #timeoutMs: number;
  readonly #slots = new CallSlots({ slots: maxCalls, waiting: maxWaiting });
  /** The index of the current member. Servers start with different members, which spreads the load. */
  #current: number;

  constructor({ endpoints, tls, timeoutMs }: MembersOptions) {
    const hasOthers = endpoints.length > 1;
    this.#members = endpoints.map((endpoint) => new Member({ endpoint, tls, hasOthers }));
    this.#timeoutMs = timeoutMs;
    this.#current = Math.floor(Math.random() * endpoints.length);
  }

  /**
   * Rejects with a StorageError. Writes are repeated only if they have certainly not been executed. A call that no
   * member has executed fails with `Unavailable`.
   */
  call<T>(call: MemberCall<T>): Promise<T> {
    const timeoutMs = this.#timeoutMs;
    return this.#slots.run(() => this.#run(call, performance.now() + timeoutMs), timeoutMs);
  }

  async #run<T>(call: MemberCall<T>, deadline: number): Promise<T> {
    const { write = false, signal } = call;
    for (let attempt = 1; ; attempt++) {
      const member = this.#usable() ?? (await this.choose());
      signal?.throwIfAborted();
      const remaining = deadline - performance.now();
      try {
        return await member.call(call, Math.max(remaining, 1));
      } catch (error) {
        if (signal?.aborted) throw error;
        const kind = failureKind(error as Error);
        const repeat = kind === 'refused' || (kind === 'unknown' && !write);
        if (!repeat || performance.now() + repeatDelayMs >= deadline) throw storageErrorOf(error, { write });
        this.avoid(member);
        // All members may refuse while they elect a leader.
        if (attempt >= this.#members.length) await new Promise((resolve) => setTimeout(resolve, repeatDelayMs));
      }
    }
  }

  /**
   * Returns a connected member that responds, the same one as long as possible. Rejects with `Unavailable` if there is
   * none.
   */
  async choose(): Promise<Member> {
    const usable = this.#usable();
    if (usable) return usable;
    const others = this.#inOrder();
    const connected = others.map(async (member) => {
      await member.connect(connectMs);
      if (member.silent) throw new Error(`${member.target} does not respond`);
      return member;
    });
    try {
      const member = await Promise.any(connected);
      this.#current = this.#members.indexOf(member);
      return member;
    } catch (error) {
      // A silent member is used if there is no other: it may only be slow.
      const ready = others.find((member) => member.ready);
      if (ready) return ready;
      const { errors } = error as AggregateError;
      throw new StorageError('Unavailable', errors.map(({ message }) => message).join(', '), { cause: error });
    }
  }

  /** Uses another member from now on, if there is one. */
  avoid(member: Member): void {
    if (this.#members[this.#current] === member) this.#current = (this.#current + 1) % this.#members.length;
  }

  /** Resolves when no call is in flight. */
  idle(): Promise<void> {
    return this.#slots.idle();
  }

  close(): void {
    for (const member of this.#members) member.close();
  }

  #usable(): Member | undefined {
    const current = this.#members[this.#current]!;
    if (current.ready && !current.silent) return current;
    const other = this.#inOrder().find((member) => member.ready && !member.silent);
    if (other) this.#current = this.#members.indexOf(other);
    return other;
  }

  #inOrder(): Member[] {
    return [...this.#members.slice(this.#current), ...this.#members.slice(0, this.#current)];
  }
}
