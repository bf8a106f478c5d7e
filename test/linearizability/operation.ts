/** One call of a client. Times are from one monotonic clock. */
export interface Operation<Input, Output> {
  readonly client: string;
  readonly input: Input;
  /**
   * Undefined when the outcome is unknown. The operation may take effect at any time after its invocation, or never.
   */
  readonly output: Output | undefined;
  readonly invoked: number;
  /**
   * Infinity without a response. If the output was found in another way, the operation took effect at an unknown time.
   */
  readonly returned: number;
}

/** The sequential behaviour of operations. States are immutable: a step returns a new state. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /**
   * Returns the state after the operation, or undefined if its output is impossible in this state. For an operation
   * without an output, returns the state after its effect, or undefined if it would have none.
   */
  step(state: State, operation: Operation<Input, Output>): State | undefined;
  /** Returns the same key for equal states only. */
  keyOf(state: State): string;
  /**
   * Returns the probable position of the operation among those that overlap with it. It only affects the duration of
   * the search.
   */
  rank?(operation: Operation<Input, Output>): number | undefined;
  /** Whether the operation certainly changed nothing. */
  reads(operation: Operation<Input, Output>): boolean;
  describe(operation: Operation<Input, Output>): string;
  describeState(state: State): string;
}
