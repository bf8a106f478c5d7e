import type { Authorizer } from '../../authz/index.ts';
import { type AsyncSteps, maybeAsync } from '../../meta/maybe-async.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { StatusError } from '../../meta/status-error.ts';
import { Turn } from '../../meta/turns.ts';
import type { AdmissionMetrics } from '../admission-metrics.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { type ExpressionInput, ExpressionInputs } from '../expressions/index.ts';
import type { KindFinder } from '../kind-finder.ts';
import { admissionForbidden } from '../plugins/admission-forbidden.ts';
import { evaluateValidatingPolicy } from './evaluate-validating-policy.ts';
import { PolicyIndex } from './policy-index.ts';
import { invocationsOf, namespaceOf, type PolicyInvocation } from './policy-invocations.ts';
import { type ValidatingBindingSpec, ValidatingPolicy } from './validating-policy.ts';
import { ValidationReport } from './validation-report.ts';

export interface PolicyDependencies {
  /** Makes the authorization checks of expressions. */
  readonly authorizer: Authorizer;
  /** Finds the types of parameters. */
  readonly kinds: KindFinder;
  readonly metrics?: AdmissionMetrics | undefined;
}

const name = 'ValidatingAdmissionPolicy';
const group = { group: 'admissionregistration.k8s.io', version: 'v1' };

/** Rejects what the ValidatingAdmissionPolicies in force do not allow. */
export function validatingAdmissionPolicy({ authorizer, kinds, metrics }: PolicyDependencies): AdmissionPlugin {
  const index = new PolicyIndex<ValidatingPolicy, ValidatingBindingSpec>({
    policies: { ...group, resource: 'validatingadmissionpolicies' },
    bindings: { ...group, resource: 'validatingadmissionpolicybindings' },
    readPolicy: (object) => new ValidatingPolicy(object, metrics),
  });

  function* check(request: AdmissionRequest, objects: ObjectReader): AsyncSteps<void> {
    const policies = index.matching(request.operation, request.target);
    const found = yield* invocationsOf(policies, { request, objects, kinds });
    if (found.length === 0) return;
    const report = new ValidationReport(request);
    const inputs = new ExpressionInputs(request, authorizer);
    const namespaceObject = yield* namespaceOf(request, objects);
    const context = { operation: request.operation, inputs, namespaceObject, report, turn: new Turn(), metrics };
    for (const each of found) {
      if (each.fault === undefined) yield* invoke(each, context);
      else if (each.policy.spec.failurePolicy !== 'Ignore')
        report.deny(each, { message: each.fault, reason: 'Invalid' });
    }
    report.publish();
    if (report.denial !== undefined) throw rejection(request, report.denial);
  }

  return {
    name,
    rules: [{ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], resources: ['*/*'] }],
    handles: (operation, target) => index.matching(operation, target).length > 0,
    explainsItself: true,
    follow: (objects, options) => index.follow(objects, options),
    validate: (request, objects) => maybeAsync(check(request, objects)),
  };
}

interface InvocationContext {
  readonly operation: AdmissionRequest['operation'];
  readonly inputs: ExpressionInputs;
  readonly namespaceObject: ResourceObject | undefined;
  readonly report: ValidationReport;
  readonly turn: Turn;
  readonly metrics: AdmissionMetrics | undefined;
}

function* invoke(
  invocation: PolicyInvocation<ValidatingPolicy, ValidatingBindingSpec>,
  { operation, inputs, namespaceObject, report, turn, metrics }: InvocationContext,
): AsyncSteps<void> {
  const { policy, matchedAs, params } = invocation;
  let versioned: ExpressionInput;
  try {
    const found = inputs.matchedAs(matchedAs);
    versioned = found instanceof Promise ? ((yield found) as ExpressionInput) : found;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const message = `failed to configure binding: failed to convert object version: ${error.message}`;
    if (policy.spec.failurePolicy !== 'Ignore') report.deny(invocation, { message, reason: 'Invalid' });
    return;
  }
  const { request, object, oldObject, access } = versioned;
  const input = { request, object, oldObject, access, params, namespaceObject };
  // Compiled first, so that the evaluation is measured alone.
  void policy.compiled;
  const startedAt = performance.now();
  const { name } = policy;
  const check = { kind: 'policy', name, type: 'validate', operation } as const;
  const result = yield* evaluateValidatingPolicy(policy, input, {
    turn,
    onConditions: (outcome, ms) => metrics?.conditionsChecked({ ...check, ms, result: outcome }),
  });
  const { denials } = result;
  const { binding } = invocation;
  const measured = { policy: name, binding, ms: performance.now() - startedAt };
  if (denials.length === 0) metrics?.policyAllowed(measured);
  else {
    metrics?.policyChecked({
      ...measured,
      isError: denials.some(({ isError }) => isError === true),
      actions: (binding.spec.validationActions ?? []).map((action) => action.toLowerCase()),
    });
  }
  report.add(invocation, result);
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

function rejection(request: AdmissionRequest, { message, reason }: { message: string; reason: string }): StatusError {
  const { message: text, status } = admissionForbidden(request, message, [{ message }]);
  return new StatusError({ code: codes[reason] ?? 422, reason, message: text, details: status.details! });
}
