import { CelError, plainData } from '../../cel/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { Pending } from '../../meta/pending.ts';
import type { AdmissionMetrics } from '../admission-metrics.ts';
import {
  type CompiledConditions,
  type CompiledExpression,
  Composition,
  compileConditions,
  compileMutation,
  Evaluation,
  type ExpressionInput,
  type Outcome,
  OutOfBudget,
  policyBudget,
} from '../expressions/index.ts';
import { applyConfiguration, applyPatch, type MutatedObject, MutationError } from './apply-mutation.ts';
import { namedSpec } from './policy-index.ts';
import type { NamedSpec, PolicySpec } from './policy-objects.ts';

export interface MutatingPolicySpec extends PolicySpec {
  readonly mutations?: readonly MutationSpec[];
  /** `Never` or `IfNeeded`. */
  readonly reinvocationPolicy?: string;
}

interface MutationSpec {
  /** `ApplyConfiguration` or `JSONPatch`. */
  readonly patchType?: string;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
}

interface CompiledMutation {
  readonly expression: CompiledExpression;
  /** Applies the result of the expression. */
  readonly apply: (value: unknown, mutated: MutatedObject) => MaybePromise<ResourceObject>;
}

interface CompiledMutatingPolicy {
  readonly conditions: CompiledConditions;
  readonly composition: Composition;
  readonly mutations: readonly CompiledMutation[];
}

/** A MutatingAdmissionPolicy. Its expressions are compiled when the first request needs them. */
export class MutatingPolicy implements NamedSpec<MutatingPolicySpec> {
  readonly name: string;
  readonly spec: MutatingPolicySpec;
  readonly #metrics: AdmissionMetrics | undefined;
  #compiled: CompiledMutatingPolicy | undefined;

  constructor(object: ResourceObject, metrics?: AdmissionMetrics) {
    const { name, spec } = namedSpec<MutatingPolicySpec>(object);
    this.name = name;
    this.spec = spec;
    this.#metrics = metrics;
  }

  get compiled(): CompiledMutatingPolicy {
    if (this.#compiled === undefined) {
      const startedAt = performance.now();
      this.#compiled = compilePolicy(this.spec);
      this.#metrics?.compiled(performance.now() - startedAt);
    }
    return this.#compiled;
  }
}

function compilePolicy(spec: MutatingPolicySpec): CompiledMutatingPolicy {
  const { paramKind, variables = [], matchConditions, mutations = [] } = spec;
  const hasParams = paramKind !== undefined;
  const composition = new Composition({ hasParams });
  for (const { name = '', expression = '' } of variables) composition.declare(name, expression);
  return {
    conditions: compileConditions(matchConditions, { hasParams }),
    composition,
    mutations: mutations.map(({ patchType, jsonPatch, applyConfiguration: configuration }) =>
      patchType === 'JSONPatch'
        ? { expression: compileMutation(jsonPatch?.expression ?? '', patchType, composition), apply: applyPatch }
        : {
            expression: compileMutation(configuration?.expression ?? '', 'ApplyConfiguration', composition),
            apply: applyConfiguration,
          },
    ),
  };
}

interface MutateOptions {
  readonly composition: Composition;
  readonly input: ExpressionInput;
}

/**
 * Computes one mutation. Each has its own budget and computes the variables again, because the object may have changed.
 * Throws or rejects with a `MutationError`, with a StatusError, and with whatever interrupts expressions.
 */
export function mutate(
  { expression, apply }: CompiledMutation,
  mutated: MutatedObject,
  { composition, input }: MutateOptions,
): MaybePromise<ResourceObject> {
  if (expression.problem !== undefined) throw new MutationError(expression.problem);
  const evaluation = new Evaluation({ ...input, object: mutated.object }, { budget: policyBudget, composition });
  let attempted: Outcome | Pending;
  try {
    attempted = evaluation.attempt(expression);
  } catch (error) {
    throw mutationError(error, expression);
  }
  if (!(attempted instanceof Pending)) return apply(resultOf(attempted, expression), mutated);
  return evaluation.finish(expression, attempted).then(
    (outcome) => apply(resultOf(outcome, expression), mutated),
    (error) => {
      throw mutationError(error, expression);
    },
  );
}

function resultOf({ value, error }: Outcome, expression: CompiledExpression): unknown {
  if (error !== undefined) throw new MutationError(error);
  try {
    return plainData(value);
  } catch (problem) {
    throw mutationError(problem, expression);
  }
}

function mutationError(error: unknown, { text }: CompiledExpression): unknown {
  if (error instanceof OutOfBudget) return new MutationError(error.message);
  if (!(error instanceof CelError)) return error;
  return new MutationError(`expression '${text}' resulted in error: ${error.message}`);
}
