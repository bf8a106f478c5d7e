/** One call of a client. Times are of one monotonic clock. */
export interface Operation<Input, Output> {
  readonly client: string;
  readonly input: Input;
  /** Undefined: nobody knows. It may take effect at any time after its invocation, or never. */
  readonly output: Output | undefined;
  readonly invoked: number;
  /** Infinity without an output, and when the output was found out in another way: then it has taken effect some time. */
  readonly returned: number;
}

/** What operations mean when they happen one after the other. States are values: a step leaves the given one as it is. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /**
   * The state after the operation; undefined when its output is impossible in this state. Without an output: the state
   * after its effect; undefined when it would have none.
   */
  step(state: State, operation: Operation<Input, Output>): State | undefined;
  /** Equal for equal states, and only for them. */
  keyOf(state: State): string;
  /** Where the operation probably belongs among those that overlap with it. Only the time of the search depends on it. */
  rank?(operation: Operation<Input, Output>): number | undefined;
  /** Whether the operation has changed nothing for certain. */
  reads(operation: Operation<Input, Output>): boolean;
  describe(operation: Operation<Input, Output>): string;
  describeState(state: State): string;
}
