import type { ResourceObject } from '../../meta/object.ts';
import type { AdmissionMetrics } from '../admission-metrics.ts';
import {
  annotationResult,
  booleanResult,
  type CompiledConditions,
  type CompiledExpression,
  Composition,
  compileAdmissionExpression,
  compileConditions,
  stringResult,
} from '../expressions/index.ts';
import { namedSpec } from './policy-index.ts';
import type { BindingSpec, NamedSpec, PolicySpec } from './policy-objects.ts';

export interface ValidatingPolicySpec extends PolicySpec {
  readonly validations?: readonly {
    readonly expression?: string;
    readonly message?: string;
    readonly messageExpression?: string;
    readonly reason?: string;
  }[];
  readonly auditAnnotations?: readonly { readonly key?: string; readonly valueExpression?: string }[];
}

export interface ValidatingBindingSpec extends BindingSpec {
  readonly validationActions?: readonly string[];
}

export interface CompiledValidation {
  readonly expression: CompiledExpression;
  /** The message when the expression has none. */
  readonly message: string;
  readonly messageExpression: CompiledExpression | undefined;
  readonly reason: string;
}

interface CompiledAnnotation {
  readonly key: string;
  readonly expression: CompiledExpression;
}

/** A ValidatingAdmissionPolicy. Its expressions are compiled when the first request needs them. */
export class ValidatingPolicy implements NamedSpec<ValidatingPolicySpec> {
  readonly name: string;
  readonly spec: ValidatingPolicySpec;
  readonly #metrics: AdmissionMetrics | undefined;
  #compiled: CompiledValidatingPolicy | undefined;

  constructor(object: ResourceObject, metrics?: AdmissionMetrics) {
    const { name, spec } = namedSpec<ValidatingPolicySpec>(object);
    this.name = name;
    this.spec = spec;
    this.#metrics = metrics;
  }

  get compiled(): CompiledValidatingPolicy {
    if (this.#compiled === undefined) {
      const startedAt = performance.now();
      this.#compiled = compilePolicy(this.spec);
      this.#metrics?.compiled(performance.now() - startedAt);
    }
    return this.#compiled;
  }
}

interface CompiledValidatingPolicy {
  readonly conditions: CompiledConditions;
  readonly composition: Composition;
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

function compilePolicy(spec: ValidatingPolicySpec): CompiledValidatingPolicy {
  const { paramKind, matchConditions, variables = [], validations = [], auditAnnotations = [] } = spec;
  const hasParams = paramKind !== undefined;
  const composition = new Composition({ hasParams });
  for (const { name = '', expression = '' } of variables) composition.declare(name, expression);
  const environment = composition.environment({ hasAuthorizer: true });
  const messageEnvironment = composition.environment({ hasAuthorizer: false });
  return {
    conditions: compileConditions(matchConditions, { hasParams }),
    composition,
    validations: validations.map(({ expression = '', message = '', messageExpression = '', reason = 'Invalid' }) => ({
      expression: compileAdmissionExpression(expression, { environment, resultTypes: booleanResult }),
      message: message.trim() === '' ? `failed expression: ${expression.trim()}` : message.trim(),
      messageExpression:
        messageExpression === ''
          ? undefined
          : compileAdmissionExpression(messageExpression, {
              environment: messageEnvironment,
              resultTypes: stringResult,
            }),
      reason,
    })),
    annotations: auditAnnotations.map(({ key = '', valueExpression = '' }) => ({
      key,
      expression: compileAdmissionExpression(valueExpression.trim(), { environment, resultTypes: annotationResult }),
    })),
  };
}
