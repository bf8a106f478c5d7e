import type { AsyncSteps } from '../../meta/maybe-async.ts';
import { ready } from '../../meta/maybe-async.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { notFound, StatusError } from '../../meta/status-error.ts';
import type { AdmissionRequest, AdmissionTarget } from '../admission-request.ts';
import type { KindFinder, ServedKind } from '../kind-finder.ts';
import { type MatchingPolicy, matchRequest } from './policy-index.ts';
import type { BindingSpec, NamedSpec, PolicySpec } from './policy-objects.ts';
import { ConfigurationError, paramsOf, paramTypeOf } from './policy-params.ts';

/** One evaluation of a policy. */
export interface PolicyInvocation<Policy, Spec> {
  readonly policy: Policy;
  readonly binding: NamedSpec<Spec>;
  /** The endpoint as which the request matched. */
  readonly matchedAs: AdmissionTarget;
  readonly params: ResourceObject | undefined;
  readonly fault?: undefined;
}

/** A policy that cannot be evaluated for the request. */
export interface PolicyFault<Policy, Spec> {
  readonly policy: Policy;
  /** Undefined when the policy itself is at fault. */
  readonly binding: NamedSpec<Spec> | undefined;
  readonly fault: string;
}

export interface InvocationOptions {
  readonly request: AdmissionRequest;
  readonly objects: ObjectReader;
  readonly kinds: KindFinder;
}

type Found<Policy, Spec> = (PolicyInvocation<Policy, Spec> | PolicyFault<Policy, Spec>)[];

/** The invocations of the policies that match the endpoint of a request: by policy, by binding, by parameter. */
export function* invocationsOf<Policy extends NamedSpec<PolicySpec>, Spec extends BindingSpec>(
  policies: readonly MatchingPolicy<Policy, Spec>[],
  { request, objects, kinds }: InvocationOptions,
): AsyncSteps<Found<Policy, Spec>> {
  const found: Found<Policy, Spec> = [];
  for (const matching of policies) {
    const { policy } = matching;
    let matchedAs: AdmissionTarget | undefined;
    let type: ServedKind | undefined;
    try {
      // This code uses no nested generators, because it runs for every write and every policy.
      const matched = matchRequest(matching, request, objects);
      matchedAs = matched instanceof Promise ? ((yield matched) as typeof matchedAs) : matched;
      if (matchedAs === undefined) continue;
      type = paramTypeOf(policy.spec, kinds);
    } catch (error) {
      found.push({ policy, binding: undefined, fault: `failed to configure policy: ${faultOf(error)}` });
      continue;
    }
    for (const each of matching.bindings) {
      const { binding } = each;
      try {
        const matched = matchRequest(each, request, objects);
        if ((matched instanceof Promise ? yield matched : matched) === undefined) continue;
        const params = paramsOf(binding.spec, policy.spec, { type, namespace: request.namespace, objects });
        for (const param of params instanceof Promise ? ((yield params) as Awaited<typeof params>) : params) {
          found.push({ policy, binding, matchedAs, params: param });
        }
      } catch (error) {
        found.push({ policy, binding, fault: `failed to configure binding: ${faultOf(error)}` });
      }
    }
  }
  return found;
}

/** Rethrows what is not the fault of a policy. */
function faultOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StatusError) return error.message;
  throw error;
}

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

/** The value of `namespaceObject`. Undefined outside of namespaces. Fails with a StatusError when it does not exist. */
export function* namespaceOf(
  { namespace, kind }: AdmissionRequest,
  objects: ObjectReader,
): AsyncSteps<ResourceObject | undefined> {
  if (namespace === '' || (kind.kind === 'Namespace' && kind.group === '')) return undefined;
  const found = yield* ready(objects.get(namespaces, { namespace: '', name: namespace }));
  if (found === undefined) throw notFound(namespaces, namespace);
  return found;
}
