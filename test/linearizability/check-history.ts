import type { Model, Operation } from './operation.ts';

/** The longest sequence of operations that the search found. */
export interface DeadEnd<State, Input, Output> {
  /** An order of the operations that explains all their outputs. */
  readonly explained: readonly Operation<Input, Output>[];
  /** The state after these operations. */
  readonly state: State;
  /** The operations of which one would have to be the next. */
  readonly blocked: readonly Operation<Input, Output>[];
}

export type Verdict<State, Input, Output> =
  | { readonly verdict: 'linearizable'; readonly steps: number }
  /** `unknown`: the search gave up. This does not mean that the history is linearizable. */
  | {
      readonly verdict: 'violation' | 'unknown';
      readonly steps: number;
      readonly deadEnd: DeadEnd<State, Input, Output>;
    };

export interface CheckOptions<State, Input, Output> {
  readonly model: Model<State, Input, Output>;
  readonly operations: readonly Operation<Input, Output>[];
  /** A number of steps instead of a time, so that the verdict does not depend on the machine. */
  readonly maxSteps?: number;
}

/** Takes about ten seconds. */
const defaultMaxSteps = 1_000_000;

/**
 * Searches for an order of the operations in which each takes effect at one moment between its invocation and its
 * return, and in which the model explains every output. This is the backtracking search of Wing and Gong with the cache
 * of Lowe, which does not visit the same configuration twice. Operations with an unknown outcome may be left out.
 */
export function checkHistory<State, Input, Output>({
  model,
  operations,
  maxSteps = defaultMaxSteps,
}: CheckOptions<State, Input, Output>): Verdict<State, Input, Output> {
  const search = new Search(model, operations);
  for (let steps = 0; steps < maxSteps; steps++) {
    const found = search.step();
    if (found === 'linearizable') return { verdict: found, steps };
    if (found === 'violation') return { verdict: found, steps, deadEnd: search.deadEnd };
  }
  return { verdict: 'unknown', steps: maxSteps, deadEnd: search.deadEnd };
}

interface Choice<State> {
  /** The position in the order of invocations. Pending operations come after all completed ones. */
  readonly index: number;
  readonly state: State;
}

/** A configuration of the search. The operations that have taken effect are in `#done` and `#path`. */
interface Frame<State> {
  readonly state: State;
  readonly choices: readonly Choice<State>[];
  next: number;
  /** All completed operations before this index have taken effect. */
  readonly low: number;
}

class Search<State, Input, Output> {
  readonly #model: Model<State, Input, Output>;
  readonly #completed: readonly Operation<Input, Output>[];
  readonly #pending: readonly Operation<Input, Output>[];
  /** Whether each operation has taken effect: first the completed, then the pending ones. */
  readonly #done: Uint8Array;
  readonly #visited = new Set<string>();
  readonly #frames: Frame<State>[] = [];
  /** The operations that led from each frame to the next. */
  readonly #path: number[] = [];
  #deadEnd: DeadEnd<State, Input, Output>;

  constructor(model: Model<State, Input, Output>, operations: readonly Operation<Input, Output>[]) {
    this.#model = model;
    const inOrder = operations.toSorted((one, other) => one.invoked - other.invoked);
    this.#completed = inOrder.filter(({ output }) => output !== undefined);
    this.#pending = inOrder.filter(({ output }) => output === undefined);
    this.#done = new Uint8Array(inOrder.length);
    this.#deadEnd = { explained: [], state: model.initial, blocked: [] };
    this.#enter(model.initial, 0);
  }

  get deadEnd(): DeadEnd<State, Input, Output> {
    return this.#deadEnd;
  }

  /** Makes one choice, or takes one back. */
  step(): 'linearizable' | 'violation' | undefined {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return 'violation';
    if (frame.low === this.#completed.length) return 'linearizable';
    const choice = frame.choices[frame.next++];
    if (choice === undefined) {
      this.#frames.pop();
      const undone = this.#path.pop();
      if (undone !== undefined) this.#done[undone] = 0;
      return undefined;
    }
    this.#done[choice.index] = 1;
    let { low } = frame;
    while (low < this.#completed.length && this.#done[low] === 1) low++;
    const configuration = this.#configuration(choice.state, low);
    if (this.#visited.has(configuration)) {
      this.#done[choice.index] = 0;
      return undefined;
    }
    this.#visited.add(configuration);
    this.#path.push(choice.index);
    this.#enter(choice.state, low);
    return undefined;
  }

  #enter(state: State, low: number): void {
    const window = this.#window(low);
    const choices = this.#choices(state, window);
    this.#frames.push({ state, choices, next: 0, low });
    const isDead = choices.length === 0 && low < this.#completed.length;
    if (isDead && (this.#path.length > this.#deadEnd.explained.length || this.#deadEnd.blocked.length === 0)) {
      const operation = (index: number): Operation<Input, Output> => this.#operation(index);
      this.#deadEnd = { explained: this.#path.map(operation), state, blocked: window.map(operation) };
    }
  }

  #operation(index: number): Operation<Input, Output> {
    return this.#completed[index] ?? this.#pending[index - this.#completed.length]!;
  }

  /** Returns the operations that may be next: those that were invoked before any other remaining operation returned. */
  #window(low: number): number[] {
    const window: number[] = [];
    let firstReturn = Number.POSITIVE_INFINITY;
    for (let index = low; index < this.#completed.length; index++) {
      const { invoked, returned } = this.#completed[index]!;
      if (invoked > firstReturn) break;
      if (this.#done[index] === 1) continue;
      window.push(index);
      firstReturn = Math.min(firstReturn, returned);
    }
    for (const [offset, { invoked }] of this.#pending.entries()) {
      const index = this.#completed.length + offset;
      if (invoked <= firstReturn && this.#done[index] === 0) window.push(index);
    }
    return window;
  }

  /** Operations with an unknown outcome come last, because most of them are not needed to explain the outputs. */
  #choices(state: State, window: readonly number[]): Choice<State>[] {
    const model = this.#model;
    const key = model.keyOf(state);
    const choices: (Choice<State> & { readonly rank: number })[] = [];
    for (const index of window) {
      const operation = this.#operation(index);
      const next = model.step(state, operation);
      if (next === undefined) continue;
      const isPending = operation.output === undefined;
      if (model.keyOf(next) === key) {
        if (isPending) continue;
        // An operation that changes nothing and is possible now can be next. No other order has to be tried.
        return [{ index, state: next }];
      }
      const rank = isPending ? Number.POSITIVE_INFINITY : (model.rank?.(operation) ?? Number.MAX_VALUE);
      choices.push({ index, state: next, rank });
    }
    return choices.sort((one, other) => (one.rank === other.rank ? one.index - other.index : one.rank - other.rank));
  }

  /**
   * Identifies the set of operations that have taken effect. Those beyond `low` were invoked within the window, so
   * there are only a few indices.
   */
  #configuration(state: State, low: number): string {
    const beyond: number[] = [];
    let firstReturn = Number.POSITIVE_INFINITY;
    for (let index = low; index < this.#completed.length; index++) {
      const { invoked, returned } = this.#completed[index]!;
      if (invoked > firstReturn) break;
      if (this.#done[index] === 1) beyond.push(index);
      else firstReturn = Math.min(firstReturn, returned);
    }
    for (let index = this.#completed.length; index < this.#done.length; index++) {
      if (this.#done[index] === 1) beyond.push(index);
    }
    return `${low} ${beyond.join(' ')}|${this.#model.keyOf(state)}`;
  }
}
