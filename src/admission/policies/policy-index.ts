import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader, StoredType } from '../../meta/object-reader.ts';
import type { AdmissionOperation, AdmissionRequest, AdmissionTarget } from '../admission-request.ts';
import { FollowedObjects } from '../followed-objects.ts';
import {
  dependsOnName,
  isExemptFromPolicies,
  type MatchConstraints,
  matchesSelectors,
  matchTarget,
} from '../matching/index.ts';
import type { FollowOptions, ObjectSource } from '../object-source.ts';
import type { BindingSpec, NamedSpec, PolicySpec } from './policy-objects.ts';

interface PolicyIndexOptions<Policy> {
  readonly policies: StoredType;
  readonly bindings: StoredType;
  /** Expressions should be compiled when they are first needed. */
  readonly readPolicy: (object: ResourceObject) => Policy;
}

/** The policies that apply to an endpoint according to their rules. */
export interface Matching {
  readonly constraints: MatchConstraints;
  /** The endpoint as which requests match. */
  readonly matchedAs: AdmissionTarget;
  /** Whether the rules contain names, so that they must be evaluated for each request. */
  readonly dependsOnName: boolean;
}

export interface MatchingPolicy<Policy, Spec> extends Matching {
  readonly policy: Policy;
  /** The bindings whose rules match too. Empty only if the policy has parameters. */
  readonly bindings: readonly (Matching & { readonly binding: NamedSpec<Spec> })[];
}

type Policies<Policy, Spec> = readonly MatchingPolicy<Policy, Spec>[];

/** The policies of one kind and their bindings, as of now. */
export class PolicyIndex<Policy extends NamedSpec<PolicySpec>, Spec extends BindingSpec> {
  readonly #policies: FollowedObjects<Policy>;
  readonly #bindings: FollowedObjects<NamedSpec<Spec>>;
  #generation = '';
  #bound: readonly { readonly policy: Policy; readonly bindings: readonly NamedSpec<Spec>[] }[] = [];
  #matching = emptyCaches<Policy, Spec>();

  constructor({ policies, bindings, readPolicy }: PolicyIndexOptions<Policy>) {
    this.#policies = new FollowedObjects(policies, readPolicy);
    this.#bindings = new FollowedObjects(bindings, (object) => namedSpec<Spec>(object));
  }

  /** Resolves when the existing objects are loaded. */
  async follow(source: ObjectSource, options: FollowOptions): Promise<void> {
    await Promise.all([this.#policies.follow(source, options), this.#bindings.follow(source, options)]);
  }

  /** The policies with bindings that may apply to such requests, both in the order of their names. */
  matching(operation: AdmissionOperation, target: AdmissionTarget): Policies<Policy, Spec> {
    this.#refresh();
    const known = this.#matching[operation].get(target);
    if (known !== undefined) return known;
    const found = isExemptFromPolicies(target) ? [] : this.#find(operation, target);
    this.#matching[operation].set(target, found);
    return found;
  }

  #refresh(): void {
    const generation = `${this.#policies.generation} ${this.#bindings.generation}`;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#matching = emptyCaches();
    const bindings = Map.groupBy(this.#bindings.values, ({ spec }) => spec.policyName ?? '');
    this.#bound = this.#policies.values.flatMap((policy) => {
      const bound = bindings.get(policy.name);
      return bound === undefined ? [] : { policy, bindings: bound };
    });
  }

  #find(operation: AdmissionOperation, target: AdmissionTarget): Policies<Policy, Spec> {
    const match = (constraints: MatchConstraints = {}): Matching | undefined => {
      const matchedAs = matchTarget(constraints, operation, target);
      return matchedAs && { constraints, matchedAs, dependsOnName: dependsOnName(constraints) };
    };
    return this.#bound.flatMap(({ policy, bindings: bound }) => {
      const matching = match(policy.spec.matchConstraints);
      if (matching === undefined) return [];
      const bindings = bound.flatMap((binding) => {
        const matchingBinding = match(binding.spec.matchResources);
        return matchingBinding === undefined ? [] : { ...matchingBinding, binding };
      });
      // A type of parameters that does not exist is an error whether a binding matches or not.
      return bindings.length === 0 && policy.spec.paramKind === undefined ? [] : { ...matching, policy, bindings };
    });
  }
}

type Caches<Policy, Spec> = Readonly<
  Record<AdmissionOperation, WeakMap<AdmissionTarget, readonly MatchingPolicy<Policy, Spec>[]>>
>;

function emptyCaches<Policy, Spec>(): Caches<Policy, Spec> {
  return { CREATE: new WeakMap(), UPDATE: new WeakMap(), DELETE: new WeakMap(), CONNECT: new WeakMap() };
}

export function namedSpec<Spec>({ metadata, spec }: ResourceObject): NamedSpec<Spec> {
  return { name: metadata.name ?? '', spec: (spec ?? {}) as Spec };
}

/**
 * The endpoint as which a request matches, by rules with names and by labels, too. Undefined when it does not match.
 * Fails with a StatusError when the namespace does not exist.
 */
export function matchRequest(
  { constraints, matchedAs, dependsOnName }: Matching,
  request: AdmissionRequest,
  objects: ObjectReader,
): MaybePromise<AdmissionTarget | undefined> {
  const { operation, target, name } = request;
  const matched = dependsOnName ? matchTarget(constraints, operation, target, name) : matchedAs;
  if (matched === undefined) return undefined;
  const matches = matchesSelectors(constraints, request, objects);
  if (typeof matches === 'boolean') return matches ? matched : undefined;
  return matches.then((does) => (does ? matched : undefined));
}
