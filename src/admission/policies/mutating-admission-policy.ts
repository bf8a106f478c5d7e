import type { Authorizer } from '../../authz/index.ts';
import { isJsonEqual } from '../../meta/json-object.ts';
import { type AsyncSteps, maybeAsync, ready } from '../../meta/maybe-async.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { untilReady } from '../../meta/pending.ts';
import { Turn } from '../../meta/turns.ts';
import type { AdmissionMetrics } from '../admission-metrics.ts';
import type { AdmissionPlugin, MutationPass } from '../admission-plugin.ts';
import type { AdmissionRequest, AdmissionTarget } from '../admission-request.ts';
import { ExpressionInputs, evaluateConditions } from '../expressions/index.ts';
import { type MutatedObject, MutationError } from './apply-mutation.ts';
import { MutatingPolicy, mutate } from './mutating-policy.ts';
import { MutationReport } from './mutation-report.ts';
import { PolicyIndex } from './policy-index.ts';
import { invocationsOf, namespaceOf, type PolicyInvocation } from './policy-invocations.ts';
import type { BindingSpec } from './policy-objects.ts';
import type { PolicyDependencies } from './validating-admission-policy.ts';

const name = 'MutatingAdmissionPolicy';
const group = { group: 'admissionregistration.k8s.io', version: 'v1' };

/** Changes objects as the MutatingAdmissionPolicies in force say. */
export function mutatingAdmissionPolicy({ authorizer, kinds, metrics }: PolicyDependencies): AdmissionPlugin {
  const index = new PolicyIndex<MutatingPolicy, BindingSpec>({
    policies: { ...group, resource: 'mutatingadmissionpolicies' },
    bindings: { ...group, resource: 'mutatingadmissionpolicybindings' },
    readPolicy: (object) => new MutatingPolicy(object, metrics),
  });

  function* mutated(request: AdmissionRequest, objects: ObjectReader, pass: MutationPass): AsyncSteps<ResourceObject> {
    const policies = index.matching(request.operation, request.target);
    const found = yield* invocationsOf(policies, { request, objects, kinds });
    if (found.length === 0) return request.object;
    const namespaceObject = yield* namespaceOf(request, objects);
    const mutation = new Mutation(request, { authorizer, pass, namespaceObject, metrics });
    for (const each of found) {
      if (each.fault === undefined) yield* mutation.invoke(each);
      else mutation.report.fail(each, each.fault);
    }
    const { rejection } = mutation.report;
    if (rejection !== undefined) throw rejection;
    return yield* mutation.result();
  }

  return {
    name,
    rules: [{ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], resources: ['*/*'] }],
    handles: (operation, target) => index.matching(operation, target).length > 0,
    explainsItself: true,
    follow: (objects, options) => index.follow(objects, options),
    mutate: (request, objects, pass) => maybeAsync(mutated(request, objects, pass)),
  };
}

type Invocation = PolicyInvocation<MutatingPolicy, BindingSpec>;

interface MutationContext {
  readonly authorizer: Authorizer;
  readonly pass: MutationPass;
  readonly namespaceObject: ResourceObject | undefined;
  readonly metrics: AdmissionMetrics | undefined;
}

/** The mutations of one request in one run of the plugins. */
class Mutation {
  readonly report: MutationReport;
  readonly #request: AdmissionRequest;
  readonly #context: MutationContext;
  readonly #inputs: ExpressionInputs;
  readonly #turn = new Turn();
  /** The mutated object, in the version of the last policy. */
  #mutated: MutatedObject;

  constructor(request: AdmissionRequest, context: MutationContext) {
    this.report = new MutationReport(request);
    this.#request = request;
    this.#context = context;
    this.#inputs = new ExpressionInputs(request, context.authorizer);
    this.#mutated = { object: request.object, target: request.target };
  }

  *invoke(invocation: Invocation): AsyncSteps<void> {
    const { policy, matchedAs, params } = invocation;
    if (this.#turn.isOver) yield this.#turn.next();
    yield* this.#convert(matchedAs);
    const { operation } = this.#request;
    const { object: _, ...converted } = yield* ready(this.#inputs.matchedAs(matchedAs));
    const object = operation === 'DELETE' ? undefined : this.#mutated.object;
    const input = { ...converted, object, params };
    const { conditions } = policy.compiled;
    const startedAt = performance.now();
    const matched = yield* ready(evaluateConditions(conditions, input));
    if (conditions.length > 0) {
      const ms = performance.now() - startedAt;
      const check = { kind: 'policy', name: policy.name, type: 'mutate', operation, ms, result: matched } as const;
      this.#context.metrics?.conditionsChecked(check);
    }
    if (matched.error !== undefined) this.report.fail(invocation, matched.error, 'Invalid');
    else if (matched.matches && this.#isDue(invocation) && object !== undefined) {
      yield* this.#mutate(invocation, { ...input, namespaceObject: this.#context.namespaceObject });
    }
  }

  /** The object in the version of the request. */
  *result(): AsyncSteps<ResourceObject> {
    yield* this.#convert(this.#request.target);
    return this.#mutated.object;
  }

  *#mutate(invocation: Invocation, input: Parameters<typeof mutate>[2]['input']): AsyncSteps<void> {
    const { composition, mutations } = invocation.policy.compiled;
    const { object: before, target } = this.#mutated;
    for (const mutation of mutations) {
      if (this.#turn.isOver) yield this.#turn.next();
      try {
        const changed = untilReady(() => mutate(mutation, this.#mutated, { composition, input }));
        this.#mutated = { object: yield* ready(changed), target };
      } catch (error) {
        // The remaining mutations are still applied.
        if (!(error instanceof MutationError)) throw error;
        this.report.fail(invocation, error.message, 'Invalid');
      }
    }
    const { object: after } = this.#mutated;
    if (isJsonEqual(before, after)) return;
    this.#context.pass.reinvoke();
    this.report.changed(invocation, before, after);
  }

  /**
   * Whether the policy is invoked in this run. In the second run, it is invoked if it requests reinvocation and was
   * invoked in the first one. Whether the object has changed since does not matter: without a change the result would
   * be the same.
   */
  #isDue({ policy, binding, params }: Invocation): boolean {
    const { isReinvocation, memory } = this.#context.pass;
    const invoked = (memory.get(name) as Set<string> | undefined) ?? new Set<string>();
    memory.set(name, invoked);
    const key = JSON.stringify([policy.name, binding.name, params?.metadata.namespace, params?.metadata.name]);
    if (isReinvocation) return invoked.has(key);
    if (policy.spec.reinvocationPolicy === 'IfNeeded') invoked.add(key);
    return true;
  }

  *#convert(to: AdmissionTarget): AsyncSteps<void> {
    const { object, target } = this.#mutated;
    if (target !== to) this.#mutated = { object: yield* ready(target.objects.convert(object, to)), target: to };
  }
}
