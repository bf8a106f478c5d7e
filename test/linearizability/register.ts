import type { Model, Operation } from './operation.ts';

export type RegisterInput =
  | { readonly verb: 'read' | 'remove'; readonly key: string }
  | { readonly verb: 'write'; readonly key: string; readonly value: number }
  | { readonly verb: 'swap'; readonly key: string; readonly from: number; readonly value: number };

/** Null when the register is empty. */
export type RegisterState = number | null;

/** The value that was read, or whether the operation succeeded. */
export type RegisterOutput = RegisterState | boolean;

export type RegisterOperation = Operation<RegisterInput, RegisterOutput>;

export function apply(state: RegisterState, input: RegisterInput): { next: RegisterState; output: RegisterOutput } {
  if (input.verb === 'write') return { next: input.value, output: true };
  if (input.verb === 'swap') {
    return state === input.from ? { next: input.value, output: true } : { next: state, output: false };
  }
  return input.verb === 'read' ? { next: state, output: state } : { next: null, output: state !== null };
}

/** A model of one register. It is the simplest model with every kind of operation. */
export const registerModel: Model<RegisterState, RegisterInput, RegisterOutput> = {
  initial: null,
  step: (state, { input, output }) => {
    const applied = apply(state, input);
    return output === undefined || output === applied.output ? applied.next : undefined;
  },
  keyOf: String,
  reads: ({ input: { verb }, output }) => verb === 'read' || output === false,
  describe: ({ input, output }) => {
    const given = [...('from' in input ? [input.from] : []), ...('value' in input ? [input.value] : [])].join(' to ');
    return `${[input.verb, input.key, given].join(' ').trim()}: ${output ?? (output === null ? 'nothing' : '?')}`;
  },
  describeState: (state) => String(state ?? 'nothing'),
};
